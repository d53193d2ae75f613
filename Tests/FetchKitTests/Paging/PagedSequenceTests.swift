import Decoding
import FetchKit
import FetchKitTesting
import Foundation
import LarderTestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct PagedSequenceTests {
  struct Book: Codable, Identifiable, Sendable, Equatable {
    var id: Int
    var title: String
  }

  let server: LoopbackServer
  let client = FetchClient()

  init() throws {
    server = try LoopbackServer()
  }

  static func json(_ ids: some Sequence<Int>, _ more: String = "") -> LoopbackResponse {
    let items = ids.map { #"{"id": \#($0), "title": "Book \#($0)"}"# }.joined(separator: ", ")
    return .json(#"{"totalItems": 1000000, \#(more) "items": [\#(items)]}"#)
  }

  /// Serves that many books by offset; the total it reports is wrong.
  func serve(_ count: Int) {
    server.on("/books") { request in
      let offset = Int(request.query("start") ?? "") ?? 0
      let limit = Int(request.query("max") ?? "") ?? 0
      guard offset < count else { return .json(#"{"totalItems": 59006}"#) }
      return Self.json(offset..<min(count, offset + limit))
    }
  }

  func books(limit: Int = 40, maxRequests: Int = 100, prefetch: Int = 0) -> PagedSequence<Book> {
    PagedSequence(
      client, .elementsIfPresent(at: "items"), by: .offset(limit: limit), maxRequests: maxRequests, prefetch: prefetch
    ) { [server] page in
      server.url.appending(path: "books").appending(queryItems: [
        URLQueryItem(name: "start", value: "\(page.offset)"), URLQueryItem(name: "max", value: "\(page.limit)"),
      ])
    }
  }

  @Test(arguments: [0, 1, 39, 40, 41, 80, 100], [0, 1, 3])
  func `a paged sequence returns all items in order and none twice`(count: Int, prefetch: Int) async throws {
    serve(count)
    var ids: [Int] = []
    for try await book in books(prefetch: prefetch) { ids.append(book.id) }
    #expect(ids == Array(0..<count))
  }

  @Test func `a paged sequence ends at a short page or an empty page, and says which`() async {
    serve(100)
    let short = await books().collect()
    #expect((short.items.count, short.end, short.requests) == (100, .shortPage, 3))
    let empty = await books(limit: 50).collect()
    #expect((empty.items.count, empty.end, empty.requests) == (100, .emptyPage, 3))
    #expect(short.error == nil && empty.error == nil)
  }

  @Test(arguments: [0, 2]) func `more pages than permitted are an error with the page that is next`(
    prefetch: Int
  ) async throws {
    serve(100)
    let limited = await books(limit: 10, maxRequests: 4, prefetch: prefetch).collect()
    #expect((limited.items.count, limited.end, limited.requests) == (40, nil, 4))
    guard case .tooManyPages(limit: 4, let next, _)? = limited.error else {
      Issue.record("\(String(describing: limited.error))")
      return
    }
    #expect((next.index, next.offset, next.limit) == (4, 40, 10))
    #expect(limited.error?.isRetryable == false)
    #expect(limited.error?.description.contains("after 4 requests") == true)
    var ids: [Int] = []
    var iterator = books(limit: 10, maxRequests: 4, prefetch: prefetch).makeAsyncIterator()
    await #expect(throws: FetchError.self) { while let book = try await iterator.next() { ids.append(book.id) } }
    #expect(ids == Array(0..<40))
    // The limit is exactly enough.
    #expect(await books(limit: 10, maxRequests: 11, prefetch: prefetch).collect().end == .emptyPage)
  }

  @Test func `a chain of pages that is too long names the link that is next`() async throws {
    server.on("/list") { request in
      let page = Int(request.query("page") ?? "") ?? 0
      var response = Self.json([page])
      response.headers["Link"] = "</list?page=\(page + 1)>; rel=\"next\""
      return response
    }
    let list = PagedSequence(
      client, .elementsIfPresent(of: Book.self, at: "items"), by: .link(), maxRequests: 3
    ) { [server] _ in server.url.appending(path: "list") }
    guard case .tooManyPages(_, let next, _)? = await list.collect().error else {
      Issue.record("the sequence ended")
      return
    }
    #expect(next.link == URL(string: "\(server.url)/list?page=3"))
  }

  @Test func `a page has its response, and an unchanged page is delivered without items`() async throws {
    server.on("/books") { request in
      if request.headers["If-None-Match"] == "\"1\"" {
        return LoopbackResponse(status: 304, headers: ["ETag": "\"1\"", "X-RateLimit-Remaining": "8"])
      }
      var response = Self.json(0..<3)
      response.headers["ETag"] = "\"1\""
      return response
    }
    func page(_ tag: String?, _ style: PagingStyle = .link()) async throws -> Page<Book>? {
      let sequence = PagedSequence(client, .elementsIfPresent(of: Book.self, at: "items"), by: style) {
        [server] (_) -> HTTPRequest in
        var request = HTTPRequest(.get, server.url.appending(path: "books"))
        request.headers["If-None-Match"] = tag
        return request
      }
      return try await sequence.pages.makeAsyncIterator().next()
    }
    let first = try #require(try await page(nil))
    #expect(first.items.count == 3 && first.response.status == 200 && first.response.body.isEmpty)
    let tag = try #require(first.response.headers["ETag"])
    let second = try #require(try await page(tag))
    #expect(second.items.isEmpty && second.response.status == 304 && second.end == .lastPage)
    #expect(second.response.headers["X-RateLimit-Remaining"] == "8" && second.response.attempts.count == 1)
    #expect(try await page(tag, .cursor(at: "next"))?.response.status == 304)
    #expect(try await page(tag, .offset(limit: 3))?.end == nil)
  }

  @Test func `prefetching sends no more requests than allowed`() async {
    serve(1000)
    let result = await books(limit: 10, maxRequests: 5, prefetch: 3).collect()
    #expect(result.items.count == 50 && result.error != nil)
    #expect(server.requests.count == 5)
  }

  @Test func `items that a server repeats are returned once`() async throws {
    // An item is inserted in front between two requests, so the last item of each page is the first of the next.
    server.on("/books") { request in
      let offset = Int(request.query("start") ?? "") ?? 0
      let page = offset / 10
      return page < 4 ? Self.json((offset - page)..<(offset - page + 10)) : Self.json([])
    }
    let iterator = books(limit: 10).pages.makeAsyncIterator()
    var pages: [(count: Int, repeated: Int)] = []
    while let page = try await iterator.next() { pages.append((page.items.count, page.repeated)) }
    #expect(pages.map(\.count) == [10, 9, 9, 9])
    #expect(pages.map(\.repeated) == [0, 1, 1, 1])
    #expect(iterator.end == .emptyPage)
  }

  @Test func `a server that keeps repeating one page receives two requests`() async {
    server.on("/books") { _ in Self.json(0..<10) }
    let result = await books(limit: 10).collect()
    #expect((result.items.count, result.end, result.requests) == (10, .repetition, 2))
  }

  @Test func `an empty page ends the sequence, whatever total the server reports`() async {
    server.on("/books") { request in
      let offset = Int(request.query("start") ?? "") ?? 0
      return offset < 20 ? Self.json(offset..<(offset + 10)) : Self.json(20..<23)
    }
    let result = await books(limit: 10, prefetch: 2).collect()
    #expect((result.items.count, result.end) == (23, .shortPage))
  }

  @Test(arguments: [0, 2]) func `a server that omits items is read to its empty page if short pages are allowed`(
    prefetch: Int
  ) async {
    server.on("/books") { request in
      let offset = Int(request.query("start") ?? "") ?? 0
      return Self.json((offset..<max(offset, min(offset + 10, 40))).filter { !$0.isMultiple(of: 7) })
    }
    var books = books(limit: 10, prefetch: prefetch)
    #expect(await books.collect().end == .shortPage)
    books.stopsAtShortPage = false
    let result = await books.collect()
    #expect(result.items.map(\.id) == (0..<40).filter { !$0.isMultiple(of: 7) })
    #expect(result.end == .emptyPage)
  }

  @Test func `items beyond the requested page size are returned, and only once`() async {
    server.on("/books") { request in
      let offset = Int(request.query("start") ?? "") ?? 0
      return Self.json(offset < 30 ? offset..<(offset + 15) : 30..<30)
    }
    let result = await books(limit: 10).collect()
    #expect(result.items.map(\.id) == Array(0..<35))
    #expect(result.end == .emptyPage)
  }

  @Test(arguments: [0, 1])
  func `when a later page fails, earlier items are kept, and another call continues from there`(prefetch: Int)
    async throws
  {
    let failures = FetchKit.Lock<Int>(2)
    server.on("/books") { request in
      let offset = Int(request.query("start") ?? "") ?? 0
      if offset == 20,
        failures.withLock({ left in
          left -= 1
          return left >= 0
        })
      {
        return .status(503)
      }
      return Self.json(offset..<max(offset, min(35, offset + 10)))
    }
    let result = await books(limit: 10, prefetch: prefetch).collect()
    #expect(result.items.map(\.id) == Array(0..<20))
    #expect(result.end == nil)
    guard case .status(let failure, _) = result.error, failure.status == 503 else {
      Issue.record("\(String(describing: result.error))")
      return
    }

    failures.withLock { $0 = 2 }
    var iterator = books(limit: 10, prefetch: prefetch).makeAsyncIterator()
    var ids: [Int] = []
    var failed = 0
    while iterator.end == nil {
      do throws(FetchError) {
        while let book = try await iterator.next() { ids.append(book.id) }
      } catch {
        failed += 1
        #expect(ids == Array(0..<20))
      }
    }
    #expect(ids == Array(0..<35))
    #expect(failed == 2)
  }

  @Test func `a page that cannot be decoded is a failure, not the end`() async {
    server.on("/books", Self.json(0..<10), .json(#"{"items": [{"id": 10}]}"#))
    let result = await books(limit: 10).collect()
    #expect(result.items.count == 10)
    #expect(result.error?.decodingError?.kind == .missing)
  }

  @Test(arguments: ["{}", #"{"items": null}"#, #"{"items": []}"#, #"{"totalItems": 59006}"#])
  func `a page without items is an empty page`(body: String) async {
    server.on("/books", .json(body))
    let result = await books().collect()
    #expect(result.items.isEmpty && result.error == nil && result.end == .emptyPage)
  }

  @Test func `paging by page number requests each page with its number and size`() async throws {
    server.on("/photos") { request in
      let page = Int(request.query("page") ?? "") ?? 0
      return Self.json(page == 3 ? 20..<25 : ((page - 1) * 10)..<(page * 10))
    }
    let photos = PagedSequence(
      client, .elements(of: Book.self, at: "items"), by: .number(size: 10), id: \.title
    ) { [server] page in
      "\(server.url)/photos?page=\(page.number)&per_page=\(page.limit)"
    }
    #expect(await photos.collect().items.map(\.id) == Array(0..<25))
    #expect(server.requests[0].query("per_page") == "10")
  }

  @Test(arguments: [#""meta": {"next": "c-%"},"#, #""meta": {"next": %},"#])
  func `paging by cursor accepts string and number cursors`(
    form: String
  ) async {
    server.on("/books") { request in
      let page = (request.query("after").flatMap { Int($0.drop { !$0.isNumber }) } ?? 0)
      return Self.json((page * 3)..<(page * 3 + 3), page < 3 ? form.replacing("%", with: "\(page + 1)") : "")
    }
    let books = PagedSequence(
      client, .elements(of: Book.self, at: "items"), by: .cursor(at: "meta.next"), prefetch: 1
    ) { [server] page in
      let url = server.url.appending(path: "books")
      return page.cursor.map { url.appending(queryItems: [URLQueryItem(name: "after", value: $0)]) } ?? url
    }
    let result = await books.collect()
    #expect((result.items.count, result.end, result.requests) == (12, .lastPage, 4))
  }

  @Test(arguments: ["null", "false", "\"\""]) func `a null, false or empty cursor is the end`(cursor: String) async {
    server.on("/books", Self.json(0..<3, #""next": \#(cursor),"#))
    let books = PagedSequence(client, .elements(of: Book.self, at: "items"), by: .cursor(at: "next")) { [server] _ in
      server.url.appending(path: "books")
    }
    let result = await books.collect()
    #expect((result.items.count, result.end, result.requests) == (3, .lastPage, 1))
  }

  func linked() -> PagedSequence<Book> {
    PagedSequence(client, .elements(at: "items"), by: .link()) { [server] _ in
      HTTPRequest(.get, server.url.appending(path: "books"), headers: ["Authorization": "Bearer t0ken"])
    }
  }

  @Test func `paging by links sends the request's headers and follows links to the end`() async {
    server.on("/books") { request in
      let page = Int(request.query("page") ?? "") ?? 0
      var response = Self.json((page * 3)..<(page * 3 + 3))
      if page < 3 { response.headers["Link"] = "<?page=\(page + 1)>; rel=\"next\", <?page=3>; rel=\"last\"" }
      return response
    }
    let result = await linked().collect()
    #expect((result.items.count, result.end, result.requests) == (12, .lastPage, 4))
    #expect(server.requests.allSatisfy { $0.headers["Authorization"] == "Bearer t0ken" })
  }

  @Test func `a link to another origin is not followed, and earlier items are kept`() async throws {
    let other = try LoopbackServer()
    server.on("/books") { _ in
      var response = Self.json(0..<3)
      response.headers["Link"] = "<\(other.url)/books?page=2>; rel=next"
      return response
    }
    let result = await linked().collect()
    #expect(result.items.count == 3)
    guard case .invalidRequest = result.error else {
      Issue.record("\(String(describing: result.error))")
      return
    }
    #expect(other.requests.isEmpty)
  }

  @Test func `links in a cycle end the sequence`() async {
    server.on("/books") { request in
      var response = Self.json(request.query("page") == "1" ? 3..<6 : 0..<3)
      response.headers["Link"] = "<?page=\(request.query("page") == "1" ? 0 : 1)>; rel=next"
      return response
    }
    let result = await linked().collect()
    #expect(result.items.count == 6)
    #expect(result.end == .repetition)
    #expect(result.requests <= 4)
  }

  @Test func `a prefetched page is requested before it is needed, and none beyond it`() async throws {
    serve(1000)
    var iterator = books(limit: 10, prefetch: 2).makeAsyncIterator()
    #expect(server.requests.isEmpty)
    _ = try await iterator.next()
    await server.requests(atLeast: 3)
    for _ in 1..<10 { _ = try await iterator.next() }
    #expect(server.requests.count == 3)
    _ = try await iterator.next()
    await server.requests(atLeast: 4)
    #expect(Set(server.requests.compactMap { $0.query("start") }) == ["0", "10", "20", "30"])
  }

  @Test func `releasing the iterator cancels its requests in flight`() async throws {
    server.on("/books") { request in
      let offset = Int(request.query("start") ?? "") ?? 0
      return offset == 0 ? Self.json(0..<10) : Self.json(10..<20).held(at: LoopbackGate())
    }
    do {
      var iterator = books(limit: 10, prefetch: 1).makeAsyncIterator()
      _ = try await iterator.next()
      await server.requests(atLeast: 2)
    }
    // The gate stays closed: only the client can have closed the connection of the prefetched page.
    #expect(await eventually { server.openConnections <= 1 })
  }

  @Test func `cancelling the task that waits for a page throws a cancellation`() async {
    server.on("/books") { _ in Self.json(0..<10).held(at: LoopbackGate()) }
    let books = books()
    let task = Task { await books.collect() }
    await server.requests(atLeast: 1)
    task.cancel()
    guard case .cancelled = await task.value.error else {
      Issue.record("the wait was not cancelled")
      return
    }
  }

  @Test @MainActor func `two concurrent calls on one iterator each return a page`() async throws {
    serve(100)
    let pages = books(limit: 10).pages.makeAsyncIterator()
    let seen = FetchKit.Lock([Int]())
    let readers = (0..<4).map { _ in
      Task { @MainActor in
        while let page = try await pages.next() { seen.withLock { $0 += page.items.map(\.id) } }
      }
    }
    for reader in readers { try await reader.value }
    #expect(seen.withLock { $0 }.sorted() == Array(0..<100))
  }

  @Test func `two iterators of one sequence are independent`() async throws {
    serve(15)
    let books = books(limit: 10)
    async let first = books.collect()
    async let second = books.collect()
    #expect(await first.items.count == 15)
    #expect(await second.items.count == 15)
  }

  @Test @MainActor func `a paged sequence can be read on an actor`() async throws {
    serve(15)
    var ids: [Int] = []
    for try await book in books(limit: 10) {
      MainActor.assertIsolated()
      ids.append(book.id)
    }
    #expect(ids.count == 15)
  }
}
