import ExampleReplicas
import FetchKit
import FetchKitTesting
import Foundation
import LarderTestSupport
import Testing

/// `BookLab` as a user at a terminal runs it: a child process, a real socket, a store on disk.
@Suite struct BookLabTests {
  private let bookLab = Program(name: "BookLab")
  private let folder: TemporaryFolder
  private var store: String { folder.path("booklab.store") }

  init() throws {
    folder = try TemporaryFolder()
  }

  struct Book: Codable, Equatable {
    let id: String
    let title: String
    let authors: String?
    let publisher: String?
    let publicationDate: String?
    let isbn13: String?
    let imageURL: String?
    let description: String?
  }

  struct Results: Decodable {
    struct Dropped: Decodable { let path, reason: String }

    let requests: Int
    let books: [Book]
    let dropped: [Dropped]
  }

  private func server(_ change: (inout InjectedFaults) -> Void = { _ in }) throws -> ExampleServer {
    var faults = InjectedFaults()
    change(&faults)
    return try ExampleServer(numbers: .seeded(1), faults: faults)
  }

  private func run(_ server: ExampleServer, _ arguments: String..., input: String = "") async throws
    -> ChildProcess.Output
  {
    try await bookLab(
      arguments + ["--base-url", server.booksURL.absoluteString, "--store", store],
      environment: ["GOOGLE_BOOKS_API_KEY": "planted-secret"], input: input)
  }

  @Test func `the BookLab demo runs and every step passes`() async throws {
    let output = try await bookLab("demo")
    #expect(output.status == 0, "\(output.errors)")
    #expect(output.text.hasSuffix("All checks passed.\n"))
    let json = try await bookLab("demo", "--json")
    #expect(try json.json([Book].self).count == 3)
  }

  @Test func `a search requests ten pages of forty, lists no book twice and reports skipped volumes`() async throws {
    let server = try server()
    let output = try await run(server, "search", "the", "--json")
    let results = try output.json(Results.self)
    #expect(results.requests == 10)
    #expect(server.requestCount == 10)
    #expect((360...400).contains(results.books.count))
    #expect(Set(results.books.map(\.id)).count == results.books.count)
    let numbers = results.books.compactMap(\.isbn13)
    #expect(Set(numbers).count == numbers.count)
    #expect(!results.dropped.isEmpty)
    #expect(results.dropped.allSatisfy { $0.path.contains(#/^\$\['items'\]\[\d+\]\['volumeInfo'\]\['title'\]$/#) })
    #expect(results.dropped.allSatisfy { $0.reason.contains(#/^missing, on page \d+$/#) })
    #expect(output.errors.contains("\(results.dropped.count) volumes could not be read:\n"))
    #expect(output.errors.contains("Skipped: $['items']"))
    #expect(output.status == 0)
  }

  @Test func `a search ends with a short page, and with fewer requests if the user limits them`() async throws {
    let server = try server()
    let all = try await run(server, "search", "whales", "--json").json(Results.self)
    #expect((1..<10).contains(all.requests))
    let some = try await run(server, "search", "whales", "--json", "--max-requests", "2", "--page-size", "5")
      .json(Results.self)
    #expect(some.requests == 2)
    #expect(some.books.count <= 10)
    let none = try await run(server, "search", "no", "such", "book", "anywhere", "--json").json(Results.self)
    #expect(none.requests == 1)
    #expect(none.books.isEmpty)
  }

  @Test func `pages fetched before a failure are kept, and the error does not show the key`() async throws {
    let output = try await run(try server { $0.failAfter = 2 }, "search", "the", "--json")
    #expect(output.status == 1)
    let results = try output.json(Results.self)
    #expect(results.books.count > 60)
    #expect(output.errors.contains("503"))
    #expect(output.errors.contains("the list is incomplete"))
    #expect(!output.errors.contains("planted-secret"))
  }

  @Test func `a request to an unreliable server is retried`() async throws {
    let output = try await run(try server { $0.failEvery = 4 }, "search", "whales", "--json")
    #expect(output.status == 0, "\(output.errors)")
    #expect(try output.json(Results.self).books.count > 40)
  }

  @Test func `books are added, listed by title, shown, exported and removed`() async throws {
    // Given a search of which the second and third book are stored
    let server = try server()
    let found = try await run(server, "search", "tea", "--add", "2", "--add", "3")
    #expect(found.status == 0, "\(found.errors)")
    #expect(found.text.components(separatedBy: "Added: ").count == 3)
    let books = try await run(server, "search", "tea", "--json").json(Results.self).books

    // When the books are listed
    let list = try await run(server, "list", "--json").json([Book].self)

    // Then each is there once, ordered by title and as it was found
    let titles = list.map { $0.title.lowercased() }
    #expect(titles == titles.sorted())
    #expect(Set(list.map(\.id)) == [books[1].id, books[2].id])
    #expect(list.allSatisfy { books.contains($0) })

    // And adding one again, by its id, changes nothing
    let again = try await run(server, "add", books[1].id)
    #expect(again.text.isEmpty)
    #expect(again.status == 0)
    let shown = try await run(server, "show", books[1].id, "--json").json(Book.self)
    #expect(shown == books[1])

    // And all of them are exported, and one is removed
    let file = folder.path("books.json")
    #expect(try await run(server, "export", "--out", file, "--json").text == "{\"exported\":2}\n")
    #expect(try JSONDecoder().decode([Book].self, from: Data(contentsOf: URL(filePath: file))) == list)
    #expect(try await run(server, "remove", books[1].id).text.hasPrefix("Removed: \(books[1].title)"))
    #expect(try await run(server, "list", "--json").json([Book].self).map(\.id) == [books[2].id])
    let gone = try await run(server, "show", books[1].id)
    #expect(gone.status == 1)
    #expect(gone.errors == "BookLab: there is no book “\(books[1].id)”; run list to see all books\n")
  }

  @Test func `the same book under another volume id is the same book`() async throws {
    let server = try LoopbackServer()
    server.on(.get, "*") { request in
      .json(
        #"{"id":"\#(request.path.dropFirst("/volumes/".count))","volumeInfo":{"title":"Emma","industryIdentifiers":["#
          + #"{"type":"ISBN_10","identifier":"0141439580"},{"type":"ISBN_13","identifier":"9780141439587"}]}}"#)
    }
    for id in ["one", "two", "a/b?c"] {
      let output = try await bookLab("add", id, "--base-url", server.url.absoluteString, "--store", store)
      #expect(output.status == 0, "\(output.errors)")
    }
    #expect(server.requests.map(\.target) == ["/volumes/one", "/volumes/two", "/volumes/a%2Fb%3Fc"])
    let list = try await bookLab("list", "--json", "--store", store).json([Book].self)
    #expect(list.map(\.id) == ["one"])
    #expect(try await bookLab("show", "978-0-14-143958-7", "--store", store).status == 0)
  }

  @Test func `a title with control characters is printed without them`() async throws {
    let server = try LoopbackServer()
    let title = #"Em\u001b[2Jm\u001b[1ma\u0007\nAdded: \u202ereven"#
    server.on(.get, "*", .json(#"{"id":"one","volumeInfo":{"title":"\#(title)"}}"#))
    let output = try await bookLab("add", "one", "--base-url", server.url.absoluteString, "--store", store)
    #expect(output.text == "Added: Em[2Jm[1ma Added: reven (one)\n")
    #expect(try await bookLab("show", "one", "--store", store).text.hasPrefix("Em[2Jm[1ma Added: reven\n"))
    let json = try await bookLab("show", "one", "--store", store, "--json")
    #expect(json.text.contains(#"\u202ereven"#))
    #expect(try json.json(Book.self).title == "Em\u{1B}[2Jm\u{1B}[1ma\u{7}\nAdded: \u{202E}reven")
  }

  @Test func `covers are downloaded, stored, and found again on any port of the server`() async throws {
    let first = try server()
    _ = try await run(first, "search", "bees", "--add", "1", "--add", "2", "--add", "3", "--add", "4", "--add", "5")
    let books = try await run(first, "list", "--json").json([Book].self)
    let count = books.filter { $0.imageURL != nil }.count
    #expect(count > 0)

    struct Summary: Decodable { let downloaded, present, failed: Int; let folder: String }
    let second = try server { $0.breakEvery = 2 }
    let output = try await run(second, "thumbnails", "--json")
    let summary = try output.json(Summary.self)
    #expect(output.status == 0, "\(output.errors)")
    #expect((summary.downloaded, summary.present, summary.failed) == (count, 0, 0))
    for book in books where book.imageURL != nil {
      let file = URL(filePath: summary.folder).appending(path: "\(book.id).jpg")
      #expect(try Data(contentsOf: file).prefix(2) == Data([0xFF, 0xD8]))
    }
    let again = try await run(second, "thumbnails", "--json").json(Summary.self)
    #expect((again.downloaded, again.present) == (0, count))
    let links = try await run(second, "list", "--json").json([Book].self).compactMap(\.imageURL)
    #expect(links.allSatisfy { $0.hasPrefix(second.url.absoluteString) })
  }

  @Test func `a missing cover is reported, and the others are downloaded`() async throws {
    let server = try LoopbackServer()
    server.on(.get, "/volumes/{id}") { request in
      let id = request.parameters["id"] ?? ""
      return .json(
        #"{"id":"\#(id)","volumeInfo":{"title":"\#(id)","imageLinks":{"smallThumbnail":"http://elsewhere/c?id=\#(id)"}}}"#
      )
    }
    server.on(.get, "/c") { $0.query("id") == "two" ? .status(404) : .data(Data("picture".utf8)) }
    for id in ["one", "two", "three"] {
      _ = try await bookLab("add", id, "--base-url", server.url.absoluteString, "--store", store)
    }
    let output = try await bookLab("thumbnails", "--base-url", server.url.absoluteString, "--store", store)
    #expect(output.status == 1)
    #expect(output.text.hasPrefix("New covers: 2, already present: 0"))
    #expect(output.errors.contains("No cover for “two”: the server answered with status 404"))
    let files = try FileManager.default.contentsOfDirectory(atPath: "\(store).covers").filter { $0.hasSuffix(".jpg") }
    #expect(files.sorted() == ["one.jpg", "three.jpg"])
  }

  @Test func `each input line from a pipe is a separate search, answered in order`() async throws {
    struct Found: Decodable { let query: String; let books: [Book] }
    let server = try server()
    let output = try await run(server, "type", "--json", input: "tea\n\nno such book\n whales \n")
    let found = try output.jsonLines(Found.self)
    #expect(found.map(\.query) == ["tea", "no such book", "whales"])
    #expect(found.map(\.books.isEmpty) == [false, true, false])
    #expect(server.requestCount == 3)
    let nothing = try await run(server, "type", "--json", input: "\n")
    #expect(nothing.text.isEmpty)
    #expect(nothing.status == 0)
  }

  @Test func `a failed search from a pipe is reported, and the other lines are answered`() async throws {
    let server = try LoopbackServer()
    server.on(.get, "/volumes") { request in
      request.query("q") == "bad" ? .json(#"{"error":{"message":"No."}}"#, status: 400) : .json(#"{"totalItems":0}"#)
    }
    let output = try await bookLab("type", "--base-url", server.url.absoluteString, input: "one\nbad\ntwo\n")
    #expect(output.status == 1)
    #expect(output.text == "one\nNothing found.\ntwo\nNothing found.\n")
    #expect(output.errors == "bad: the service says: No. (status 400)\nBookLab: 1 of 3 searches failed\n")
  }

  @Test func `adding a book with an ISBN that is already stored names that book and changes nothing`() async throws {
    let server = try LoopbackServer()
    let isbn = #","industryIdentifiers":[{"type":"ISBN_13","identifier":"9780141439587"}]"#
    server.on(.get, "/volumes/one", .json(#"{"id":"one","volumeInfo":{"title":"Emma"\#(isbn)}}"#))
    server.on(
      .get, "/volumes/two", .json(#"{"id":"two","volumeInfo":{"title":"Persuasion"}}"#),
      .json(#"{"id":"two","volumeInfo":{"title":"Persuasion"\#(isbn)}}"#))
    for id in ["one", "two"] {
      #expect(try await bookLab("add", id, "--base-url", server.url.absoluteString, "--store", store).status == 0)
    }
    let output = try await bookLab("add", "two", "--base-url", server.url.absoluteString, "--store", store)
    #expect(output.status == 1)
    #expect(
      output.errors == "BookLab: “Persuasion” (two) has the ISBN 9780141439587, which “Emma” (one) already has; "
        + "remove one of the two\n")
    #expect(try await bookLab("list", "--json", "--store", store).json([Book].self).map(\.id) == ["one", "two"])
  }

  @Test(.enabled(if: Fixtures.has("googlebooks"), "no recorded responses of the books API"))
  func `recorded volumes are read in spite of their missing fields`() async throws {
    let server = try LoopbackServer()
    for (query, name) in [("ruby", "search-ruby-5"), ("emma", "isbn-0140446044"), ("invalid", "isbn-invalid-isbn")] {
      let body = try Data(contentsOf: Fixtures.folder.appending(path: "googlebooks/\(name).json"))
      server.on(.get, "/\(query)/volumes") { _ in .json(body) }
    }
    func search(_ query: String) async throws -> Results {
      try await bookLab("search", query, "--json", "--base-url", server.url.appending(path: query).absoluteString)
        .json(Results.self)
    }
    let ruby = try await search("ruby")
    #expect(ruby.books.count == 5)
    #expect(ruby.dropped.isEmpty)
    #expect(ruby.books[0].authors == nil)
    #expect(ruby.books[1].publicationDate == "1990")
    #expect(ruby.books[1].isbn13 == "9780316236607")
    #expect(try await search("invalid").books.first?.publicationDate == "1996-06")
    #expect(try await search("emma").books.count == 1)
  }

  @Test(arguments: [
    (["list"], "there is no store at"), (["show", "x"], "there is no store at"),
    (["thumbnails"], "there is no store at"), (["export", "--out", "x"], "there is no store at"),
  ])
  func `a mistyped BookLab store path is an error, not an empty store`(line: [String], message: String) async throws {
    let output = try await bookLab(line + ["--store", folder.path("typo")])
    #expect(output.status == 1)
    #expect(output.errors.contains(message))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).isEmpty)
  }

  @Test(arguments: [
    (["search"], "search needs an argument: query"), (["search", ""], "search needs an argument: query"),
    (["add", " "], "add needs an argument: id"),
    (["search", "x", "--add", "0"], "--add needs a whole number"),
    (["search", "x", "--page-size", "41"], "--page-size needs a whole number from 1 to 40"),
    (["export"], "export needs --out FILE"), (["paint"], "paint"),
    (["list", "--add", "1"], "list has no option --add"),
  ])
  func `a wrong BookLab command line exits with code 2 and says what is wrong`(line: [String], named: String)
    async throws
  {
    let output = try await bookLab(line)
    #expect(output.status == 2)
    #expect(output.errors.contains(named))
    #expect(output.errors.hasSuffix(" --help\n") && output.errors.split(separator: "\n").count == 2)
    #expect(output.text.isEmpty)
  }
}
