import FetchKit
import FetchKitTesting
import Foundation
import Testing

@Suite(.timeLimit(.minutes(10))) struct HTTPCacheTests {
  @Test func `a response reports whether it comes from the network or the cache`() async throws {
    let count = Lock(0)
    let fixture = CachedClient { request throws(TransportError) in
      if request.headers["If-None-Match"] == "\"1\"" { return .stub(status: 304, headers: ["New": "yes"]) }
      let number = count.withLock { count in
        count += 1
        return count
      }
      return .stub(
        headers: ["Cache-Control": "max-age=10, stale-if-error=100", "ETag": "\"1\""], body: Data("\(number)".utf8))
    }
    #expect(try await fixture.text() == "1 network")
    fixture.date.advance(by: 4)
    let fresh = try await fixture.get()
    #expect(fresh.source == .fresh)
    #expect(fresh.headers["Age"] == "4")
    #expect(fresh.body == Data("1".utf8))
    fixture.date.advance(by: 7)
    let validated = try await fixture.get()
    #expect(validated.source == .revalidated)
    #expect(validated.status == 200)
    #expect(validated.headers["New"] == "yes")
    #expect(validated.body == Data("1".utf8))
    #expect(fixture.stub.requests.last?.headers["If-None-Match"] == "\"1\"")
    #expect(try await fixture.text() == "1 fresh")
    #expect(fixture.stub.requests.count == 2)
  }

  @Test func `Last-Modified validates a stored response without an entity tag`() async throws {
    let changed = (TestDate.start - 100).http
    let fixture = CachedClient { request throws(TransportError) in
      request.headers["If-Modified-Since"] == changed
        ? .stub(status: 304) : .stub(headers: ["Last-Modified": changed, "Cache-Control": "max-age=1"])
    }
    _ = try await fixture.get()
    fixture.date.advance(by: 2)
    #expect(try await fixture.get().source == .revalidated)
  }

  @Test func `after a 304 for another representation the request is repeated without conditions`() async throws {
    let fixture = CachedClient { request throws(TransportError) in
      if request.headers["If-None-Match"] != nil { return .stub(status: 304, headers: ["ETag": "\"other\""]) }
      return .stub(headers: ["ETag": "\"1\"", "Cache-Control": "no-cache"], body: Data("whole".utf8))
    }
    _ = try await fixture.get()
    #expect(try await fixture.text() == "whole network")
    #expect(fixture.stub.requests.count == 3)
  }

  @Test func `stale-while-revalidate serves the stale response and validates it once in the background`() async throws {
    let gate = LoopbackGate()
    let server = try LoopbackServer()
    let swr: HTTPHeaders = ["Cache-Control": "max-age=1, stale-while-revalidate=100", "ETag": "\"1\""]
    let first = LoopbackResponse(headers: swr, body: .data(Data("1".utf8)))
    let second = LoopbackResponse(headers: swr, body: .data(Data("2".utf8)))
    server.on("/", first, second.held(at: gate))
    let date = TestDate()
    let cache = HTTPCache()
    let client = FetchClient {
      $0.cache = cache
      $0.date = { date.now }
    }
    _ = try await client.fetch(server.url, .data)
    date.advance(by: 5)
    for _ in 0..<3 {
      let response = try await client.fetch(server.url, .response)
      #expect(response.source == .stale)
      #expect(response.body == Data("1".utf8))
    }
    await server.requests(atLeast: 2)
    gate.open()
    await cache.waitUntilIdle()
    let response = try await client.fetch(server.url, .response)
    #expect(response.source == .fresh)
    #expect(response.body == Data("2".utf8))
    #expect(server.requests.count == 2)
    #expect(server.requests[1].headers["If-None-Match"] == "\"1\"")
    server.stop()
  }

  @Test(arguments: [
    ("max-age=1, stale-if-error=60", 503, "1 stale"), ("max-age=1", 503, "status 503"),
    ("max-age=1, stale-if-error=60, must-revalidate", 503, "status 503"),
    ("max-age=1, stale-if-error=60", 404, "status 404"),
    ("max-age=1", 0, "1 stale"), ("max-age=1, must-revalidate", 0, "lost"),
    ("max-age=1, stale-if-error=1", 503, "status 503"),
  ])
  func `a stale response replaces an error where that is allowed, after the retries`(
    control: String, status: Int, expected: String
  ) async throws {
    let count = Lock(0)
    let clock = ManualClock()
    let fixture = CachedClient {
      $0.clock = clock
      $0.retry = .standard
      $0.random = { 0 }
    } answer: { _ throws(TransportError) in
      let number = count.withLock { count in
        count += 1
        return count
      }
      if number == 1 { return .stub(headers: ["Cache-Control": control, "ETag": "\"1\""], body: Data("1".utf8)) }
      if status == 0 { throw .connection(.lost, detail: "") }
      return .stub(status: status)
    }
    _ = try await fixture.get()
    fixture.date.advance(by: 30)
    var outcome = ""
    do throws(FetchError) {
      outcome = try await fixture.text()
    } catch {
      switch error {
      case .status(let failure, _): outcome = "status \(failure.status)"
      case .connection(let fault, _): outcome = "\(fault)"
      default: outcome = "\(error)"
      }
    }
    #expect(outcome == expected)
    #expect(fixture.stub.requests.count == (status == 404 ? 2 : 4))
  }

  @Test func `a cached response is served offline for as long as configured`() async throws {
    let isOnline = Lock(true)
    let fixture = CachedClient(cache: HTTPCache { $0.staleIfError = .seconds(100) }) { _ throws(TransportError) in
      guard isOnline.withLock({ $0 }) else { throw .connection(.nameNotResolved, detail: "") }
      return .stub(body: Data("kept".utf8))
    }
    #expect(try await fixture.text() == "kept network")
    #expect(try await fixture.text() == "kept network")
    isOnline.withLock { $0 = false }
    fixture.date.advance(by: 100)
    #expect(try await fixture.text() == "kept stale")
    fixture.date.advance(by: 1)
    await #expect(throws: FetchError.self) { try await fixture.get() }
  }

  /// What the server does with the second request: the status and the fields of its answers, in order. Afterwards, the
  /// connection is lost.
  struct Answers: Sendable {
    var answers: [(status: Int, headers: HTTPHeaders)]
  }

  @Test(
    arguments: [
      Answers(answers: [(302, ["Location": "/other"]), (503, [:])]),
      Answers(answers: [(302, ["Location": "/other"])]),
      Answers(answers: [(302, ["Location": "/other", "Cache-Control": "max-age=9"])]),
      Answers(answers: [(302, ["Location": "/other"]), (503, [:]), (302, ["Location": "/other"]), (503, [:])]),
      Answers(answers: [(304, ["ETag": "\"other\""]), (503, [:])]),
      Answers(answers: [(304, ["ETag": "\"other\""])]),
      Answers(answers: [(404, [:])]),
      Answers(answers: [(521, [:])]),
    ], [false, true])
  func `a stale response does not replace a failure after the server has answered the request`(
    row: Answers, coalesces: Bool
  ) async throws {
    let answers = Lock(row.answers)
    let hasStored = Lock(false)
    let fixture = CachedClient {
      $0.coalescesRequests = coalesces
      $0.retry = RetryPolicy(maxAttempts: 2)
      $0.retry.statuses = [521]
      $0.retry.baseDelay = .zero
    } answer: { request throws(TransportError) in
      let isFirst = hasStored.withLock { hasStored in
        defer { hasStored = true }
        return !hasStored
      }
      if isFirst { return .stub(headers: ["Cache-Control": "max-age=1, stale-if-error=100", "ETag": "\"1\""]) }
      guard let answer = answers.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) else {
        throw .connection(.lost, detail: "")
      }
      return .stub(status: answer.status, headers: answer.headers)
    }
    _ = try await fixture.get()
    fixture.date.advance(by: 9)
    await #expect(throws: FetchError.self) { try await fixture.get() }
  }

  @Test func `a stale response that replaces a failure reports the redirects to it`() async throws {
    let isOnline = Lock(true)
    let fixture = CachedClient { request throws(TransportError) in
      guard isOnline.withLock({ $0 }) else { throw .connection(.offline, detail: "") }
      return request.url.path.hasSuffix("moved")
        ? .stub(status: 301, headers: ["Location": "/there", "Cache-Control": "max-age=100"])
        : .stub(headers: ["Cache-Control": "max-age=1"], body: Data("there".utf8))
    }
    _ = try await fixture.get(.get, "moved")
    isOnline.withLock { $0 = false }
    fixture.date.advance(by: 9)
    let response = try await fixture.get(.get, "moved")
    #expect(response.source == .stale)
    #expect(response.redirects.map(\.to.path) == ["/there"])
    #expect(response.url.path == "/there")
  }

  @Test(arguments: [301, 410]) func `a stale response with an unacceptable status replaces no failure`(
    status: Int
  ) async throws {
    let isOnline = Lock(true)
    let fixture = CachedClient { request throws(TransportError) in
      guard isOnline.withLock({ $0 }) else { throw .connection(.offline, detail: "") }
      return request.url.path == "/there"
        ? .stub() : .stub(status: status, headers: ["Location": "/there", "Cache-Control": "max-age=1"])
    }
    _ = try? await fixture.get()
    isOnline.withLock { $0 = false }
    fixture.date.advance(by: 9)
    let error = await #expect(throws: FetchError.self) { try await fixture.get() }
    guard case .connection(.offline, _) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test(
    arguments: [
      (.standard, [:]), (.reload, [:]), (.standard, ["If-None-Match": "\"x\""]),
    ] as [(CacheMode, HTTPHeaders)])
  func `a server error that may be stored leaves the response that replaces it`(
    mode: CacheMode, headers: HTTPHeaders
  ) async throws {
    let isBroken = Lock(false)
    let fixture = CachedClient { _ throws(TransportError) in
      isBroken.withLock { $0 }
        ? .stub(status: 503, headers: ["Cache-Control": "private, max-age=0"])
        : .stub(headers: ["Cache-Control": "max-age=1, stale-if-error=100"], body: Data("kept".utf8))
    }
    _ = try await fixture.get()
    isBroken.withLock { $0 = true }
    fixture.date.advance(by: 9)
    // A request that does not accept stored responses fails.
    _ = try? await fixture.get(headers: headers, mode: mode)
    #expect(try await fixture.text() == "kept stale")
  }

  @Test(arguments: ["stale-if-error=100, must-revalidate", "stale-if-error=5", ""])
  func `a server error that may be stored replaces a response that cannot be used in its place`(
    directives: String
  ) async throws {
    let isBroken = Lock(false)
    let fixture = CachedClient(cache: HTTPCache { $0.staleIfError = .seconds(5) }) { _ throws(TransportError) in
      isBroken.withLock { $0 }
        ? .stub(status: 503, headers: ["Cache-Control": "max-age=9"])
        : .stub(headers: ["Cache-Control": "max-age=1, \(directives)"])
    }
    _ = try await fixture.get()
    isBroken.withLock { $0 = true }
    fixture.date.advance(by: 9)
    for _ in 0..<2 { await #expect(throws: FetchError.self) { try await fixture.get() } }
    #expect(fixture.stub.requests.count == 2)
  }

  @Test func `a server error that may be stored is stored after the server has disowned the other response`()
    async throws
  {
    let count = Lock(0)
    let fixture = CachedClient { _ throws(TransportError) in
      switch count.withLock({
        $0 += 1; return $0
      }) {
      case 1: .stub(headers: ["Cache-Control": "max-age=1, stale-if-error=100", "ETag": "\"a\""])
      case 2: .stub(status: 304, headers: ["ETag": "\"b\""])
      default: .stub(status: 503, headers: ["Cache-Control": "max-age=9"])
      }
    }
    _ = try await fixture.get()
    fixture.date.advance(by: 9)
    for _ in 0..<2 { await #expect(throws: FetchError.self) { try await fixture.get() } }
    #expect(fixture.stub.requests.count == 3)
  }

  @Test(arguments: [false, true]) func `the fields that a client hides are hidden in responses from its cache`(
    coalesces: Bool
  ) async throws {
    let status = Lock(200)
    let fixture = CachedClient {
      $0.redactedHeaders = ["X-Mine"]
      $0.coalescesRequests = coalesces
    } answer: { _ throws(TransportError) in
      let status = status.withLock { $0 }
      if status == 0 { throw .connection(.refused, detail: "") }
      let control = status == 410 ? "max-age=100" : "max-age=9, stale-while-revalidate=9"
      return .stub(status: status, headers: ["Cache-Control": control, "ETag": "\"1\"", "X-Mine": "hush"])
    }
    let steps: [(seconds: Double, answer: Int, source: FetchResponse.Source)] = [
      (0, 200, .network), (5, 200, .fresh), (5, 200, .stale), (30, 304, .revalidated), (30, 0, .stale),
    ]
    for (seconds, answer, source) in steps {
      fixture.date.advance(by: seconds)
      status.withLock { $0 = answer }
      let response = try await fixture.get()
      #expect(response.source == source)
      #expect(response.headers["X-Mine"] == "hush")
      #expect(!text(of: response).contains("hush"), "\(source)")
      await fixture.cache.waitUntilIdle()
    }
    status.withLock { $0 = 410 }
    for _ in 0..<2 {
      let error = await #expect(throws: FetchError.self) { try await fixture.get() }
      #expect(!text(of: error as Any).contains("hush"))
    }
  }

  private func text(of value: Any) -> String {
    var text = "\(value) \(String(reflecting: value)) "
    dump(value, to: &text)
    return text
  }

  @Test func `only-if-cached without a stored response is a 504 and is not retried`() async throws {
    let fixture = CachedClient {
      $0.retry = .standard
    } answer: { _ throws(TransportError) in
      .stub()
    }
    let error = await #expect(throws: FetchError.self) { try await fixture.get(mode: .onlyStored) }
    guard case .status(let failure, _) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(failure.status == 504)
    #expect(fixture.stub.requests.isEmpty)
  }

  @Test func `a request that accepts only stored responses never reaches the server`() async throws {
    let fixture = CachedClient(headers: ["Cache-Control": "max-age=10, stale-while-revalidate=100"])
    _ = try await fixture.get()
    fixture.date.advance(by: 20)
    #expect(try await fixture.get(headers: ["Cache-Control": "only-if-cached"]).source == .stale)
    #expect(try await fixture.get(mode: .onlyStored).source == .stale)
    for method in [HTTPMethod.post, .delete, .options] {
      let error = await #expect(throws: FetchError.self) { try await fixture.get(method, mode: .onlyStored) }
      #expect(error?.description.contains("504") == true, "\(method)")
    }
    var request = HTTPRequest(.get, fixture.url)
    request.options.cache = .onlyStored
    do {
      _ = try await fixture.client.stream(request)
      Issue.record("the stream has a response")
    } catch {
      #expect(error.description.contains("504"))
    }
    request.options.acceptableStatusCodes = 200..<600
    #expect(try await fixture.client.stream(request).response.source == .generated)
    let version = ResourceVersion(entityTag: "\"a\"", digest: "")
    request.options.acceptableStatusCodes = nil
    let result = try await fixture.client.fetch(request, .string, ifChangedFrom: version)
    if case .unchanged = result { Issue.record("a version of another response counts as unchanged") }
    await fixture.cache.waitUntilIdle()
    #expect(fixture.stub.requests.count == 1)
  }

  @Test func `a stored error response is served from the cache and is not retried`() async throws {
    let fixture = CachedClient {
      $0.retry = .standard
    } answer: { _ throws(TransportError) in
      .stub(status: 410, headers: ["Cache-Control": "max-age=9"])
    }
    for _ in 0..<3 { await #expect(throws: FetchError.self) { try await fixture.get() } }
    #expect(fixture.stub.requests.count == 1)
  }

  @Test func `cache modes send the matching Cache-Control to intermediate caches`() async throws {
    let fixture = CachedClient(headers: ["Cache-Control": "max-age=9"])
    _ = try await fixture.get()
    _ = try await fixture.get(mode: .revalidate)
    _ = try await fixture.get(mode: .reload)
    _ = try await fixture.get(mode: .bypass)
    #expect(fixture.stub.requests.map { $0.headers["Cache-Control"] } == [nil, "max-age=0", "no-cache", nil])
    #expect(try await fixture.text() == "3 fresh")
  }

  @Test func `responses fetched with credentials are served only to requests with the same credentials`() async throws {
    let fixture = CachedClient(headers: ["Cache-Control": "max-age=9"])
    #expect(try await fixture.text(headers: ["Authorization": "one"]) == "1 network")
    #expect(try await fixture.text(headers: ["Authorization": "two"]) == "2 network")
    #expect(try await fixture.text() == "3 network")
    #expect(try await fixture.text(headers: ["Cookie": "c"]) == "4 network")
    #expect(try await fixture.text(headers: ["Authorization": "one"]) == "1 fresh")
    #expect(try await fixture.text(headers: ["Authorization": "two"]) == "2 fresh")
    #expect(try await fixture.text() == "3 fresh")
  }

  @Test func `a change made with one credential invalidates the responses of all`() async throws {
    let fixture = CachedClient(headers: ["Cache-Control": "max-age=9", "Vary": "Accept"])
    _ = try await fixture.get(headers: ["Authorization": "one", "Accept": "a"])
    _ = try await fixture.get(headers: ["Authorization": "two", "Accept": "a"])
    _ = try await fixture.get(headers: ["Authorization": "one", "Accept": "b"])
    _ = try await fixture.get(.post, headers: ["Authorization": "one"], body: .data(Data("x".utf8), contentType: "a/b"))
    #expect(try await fixture.text(headers: ["Authorization": "one", "Accept": "a"]) == "5 network")
    #expect(try await fixture.text(headers: ["Authorization": "two", "Accept": "a"]) == "6 network")
    #expect(try await fixture.text(headers: ["Authorization": "one", "Accept": "b"]) == "7 network")
  }

  @Test func `a response requested before a change is not stored after it`() async throws {
    let server = try LoopbackServer()
    let gate = LoopbackGate()
    let kept: HTTPHeaders = ["Cache-Control": "max-age=60"]
    server.on(
      .get, "/", LoopbackResponse(headers: kept, body: .data(Data("old".utf8))).held(at: gate),
      LoopbackResponse(headers: kept, body: .data(Data("new".utf8))))
    server.on(.post, "/", .status(204))
    let client = FetchClient { $0.cache = HTTPCache() }
    async let old = client.fetch(server.url, .string)
    await server.requests(atLeast: 1)
    try await client.fetch(HTTPRequest(.post, server.url, body: .data(Data("x".utf8), contentType: "a/b")), .void)
    gate.open()
    #expect(try await old == "old")
    #expect(try await client.fetch(server.url, .string) == "new")
    server.stop()
  }

  @Test func `a HEAD request is served from a stored GET and updates it`() async throws {
    let tag = Lock("\"1\"")
    let fixture = CachedClient { request throws(TransportError) in
      let headers: HTTPHeaders = [
        "Cache-Control": "max-age=9", "ETag": tag.withLock { $0 }, "From": "\(request.method)",
      ]
      return .stub(headers: headers, body: request.method == .head ? Data() : Data("body".utf8))
    }
    _ = try await fixture.get()
    let head = try await fixture.get(.head)
    #expect(head.source == .fresh)
    #expect(head.body.isEmpty)
    #expect(head.headers["ETag"] == "\"1\"")
    fixture.date.advance(by: 10)
    #expect(try await fixture.get(.head).source == .network)
    let updated = try await fixture.get()
    #expect(updated.source == .fresh)
    #expect(updated.headers["From"] == "HEAD")
    #expect(updated.body == Data("body".utf8))
    fixture.date.advance(by: 10)
    tag.withLock { $0 = "\"2\"" }
    #expect(try await fixture.get(.head).source == .network)
    #expect(try await fixture.get().source == .network)
  }

  @Test func `a range is cut from the stored response, and a 206 is never stored`() async throws {
    let fixture = CachedClient { request throws(TransportError) in
      guard request.headers["Range"] == nil else {
        return .stub(
          status: 206, headers: ["Cache-Control": "max-age=9", "Content-Range": "bytes 0-1/4"], body: Data("bo".utf8))
      }
      return .stub(headers: ["Cache-Control": "max-age=9"], body: Data("body".utf8))
    }
    #expect(try await fixture.get(headers: ["Range": "bytes=0-1"]).source == .network)
    #expect(try await fixture.get(headers: ["Range": "bytes=0-1"]).source == .network)
    #expect(try await fixture.text() == "body network")
    let part = try await fixture.get(headers: ["Range": "bytes=1-2"])
    #expect(part.status == 206)
    #expect(part.source == .fresh)
    #expect(part.body == Data("od".utf8))
    #expect(part.body.startIndex == 0)
    #expect(part.headers["Content-Range"] == "bytes 1-2/4")
    #expect(try await fixture.text() == "body fresh")
  }

  @Test func `redirects are stored under the URL that returned them`() async throws {
    let fixture = CachedClient { request throws(TransportError) in
      request.url.path.hasSuffix("moved")
        ? .stub(status: 301, headers: ["Location": "/thing", "Cache-Control": "max-age=100"])
        : .stub(headers: ["Cache-Control": "max-age=10"], body: Data("there".utf8))
    }
    #expect(try await fixture.get(.get, "moved").redirects.count == 1)
    let again = try await fixture.get(.get, "moved")
    #expect(again.source == .fresh)
    #expect(again.redirects.count == 1)
    #expect(again.body == Data("there".utf8))
    #expect(fixture.stub.requests.count == 2)
    fixture.date.advance(by: 11)
    #expect(try await fixture.get(.get, "moved").source == .network)
    #expect(fixture.stub.requests.map(\.url.path) == ["/thing/moved", "/thing", "/thing"])
  }

  @Test func `a new response that may not be stored removes the stored one`() async throws {
    let control = Lock("max-age=1")
    let fixture = CachedClient { _ throws(TransportError) in
      let control = control.withLock { $0 }
      if control.isEmpty { throw .connection(.refused, detail: "") }
      return .stub(headers: ["Cache-Control": control])
    }
    _ = try await fixture.get()
    fixture.date.advance(by: 2)
    control.withLock { $0 = "no-store" }
    _ = try await fixture.get()
    control.withLock { $0 = "" }
    await #expect(throws: FetchError.self) { try await fixture.get() }
  }

  @Test func `bodies over the limit are not stored, and memory stays within its limit`() async throws {
    let cache = HTTPCache {
      $0.memoryBytes = 20_000
      $0.maxBodySize = 5000
    }
    let fixture = CachedClient(cache: cache) { request throws(TransportError) in
      let size = Int(request.url.lastPathComponent) ?? 0
      return .stub(headers: ["Cache-Control": "max-age=9"], body: Data(count: size))
    }
    _ = try await fixture.get(.get, "5001")
    #expect(try await fixture.get(.get, "5001").source == .network)
    for size in 4000..<4010 { _ = try await fixture.get(.get, "\(size)") }
    #expect(cache.memoryBytes <= 20_000)
    #expect(cache.memoryBytes > 8000)
    #expect(try await fixture.get(.get, "4009").source == .fresh)
    #expect(try await fixture.get(.get, "4000").source == .network)
    await cache.removeAll()
    #expect(cache.memoryBytes == 0)
    #expect(try await fixture.get(.get, "4009").source == .network)
    await cache.remove(fixture.url.appending(path: "4009"))
    #expect(try await fixture.get(.get, "4009").source == .network)
  }

  @Test func `streams bypass the cache, and their unsafe methods still invalidate it`() async throws {
    let fixture = CachedClient(headers: ["Cache-Control": "max-age=9"])
    #expect(try await fixture.text() == "1 network")
    let stream = try await fixture.client.stream(fixture.url)
    #expect(stream.response.source == .network)
    #expect(try await fixture.text() == "1 fresh")
    _ = try await fixture.client.stream(HTTPRequest(.delete, fixture.url))
    #expect(try await fixture.text() == "4 network")
  }
}
