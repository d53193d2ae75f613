import FetchKit
import FetchKitTesting
import Foundation
import LarderTestSupport
import Testing

/// Unusual responses of a books API, and how `BookLab` handles them: its exit code, its messages, and what is stored
/// afterwards.
@Suite struct BookLabReplayTests {
  private let bookLab = Program(name: "BookLab")
  private let folder: TemporaryFolder
  private var store: String { folder.path("booklab.store") }

  init() throws {
    folder = try TemporaryFolder()
  }

  private typealias Book = BookLabTests.Book
  private typealias Results = BookLabTests.Results

  private static let emma = #"""
    {"id":"one","volumeInfo":{"title":"Emma","authors":["Jane Austen"],"publisher":"Penguin","publishedDate":"2003",
     "description":"A heroine whom no one but myself will much like.",
     "industryIdentifiers":[{"type":"ISBN_13","identifier":"9780141439587"}],
     "imageLinks":{"smallThumbnail":"http://books.google.com/books/content?id=one&zoom=5"}}}
    """#

  /// A book with every field.
  private static let kept = Task {
    try await StoreSnapshot { folder in
      let server = try LoopbackServer()
      server.on("/volumes/one", .json(emma))
      let output = try await Program(name: "BookLab")(
        "add", "one", "--base-url", server.url.absoluteString, "--store", folder.path("booklab.store"))
      #expect(output.status == 0, "\(output.errors)")
    }
  }

  private func list() async throws -> [Book] {
    try await bookLab("list", "--store", store, "--base-url", "http://127.0.0.1:9", "--json").json()
  }

  private static func error(_ code: Int, _ message: String) -> String {
    #"{"error":{"code":\#(code),"message":"\#(message)","errors":[{"message":"\#(message)","reason":"x"}]}}"#
  }

  // MARK: Searches

  private static let page = UnusualResponse("the expected response", json: #"{"totalItems":1,"items":[\#(emma)]}"#)

  static let searches =
    ReplayRow.neverAnAnswer + [
      ReplayRow(
        UnusualResponse("an error with 200", json: error(403, "Quota is used up.")), exit: 1, says: "Quota is used up."),
      ReplayRow(
        UnusualResponse("an error with 400", json: error(400, "API key not valid."), status: 400), exit: 1,
        says: "API key not valid."),
      ReplayRow(
        UnusualResponse("an error with 403", json: error(403, "Daily Limit Exceeded."), status: 403), exit: 1,
        says: "Daily Limit Exceeded."),
      ReplayRow(
        UnusualResponse(
          "an error next to an empty list",
          json: #"{"error":{"message":"Quota is used up."},"totalItems":0,"items":[]}"#),
        exit: 1, says: "Quota is used up."),
      ReplayRow(
        UnusualResponse("neither items nor a count", json: #"{"kind":"books#volumes"}"#), exit: 1, says: "understood"),
      ReplayRow(
        UnusualResponse("an object for items", json: #"{"totalItems":3,"items":{}}"#), exit: 1, says: "understood"),
      ReplayRow(
        UnusualResponse("a text for items", json: #"{"totalItems":3,"items":"x"}"#), exit: 1, says: "understood"),
      ReplayRow(UnusualResponse("none", json: #"{"totalItems":0}"#), exit: 0, says: "Nothing found."),
      ReplayRow(
        UnusualResponse("an empty page", json: #"{"totalItems":0,"items":[]}"#), exit: 0, says: "Nothing found."),
      ReplayRow(
        UnusualResponse("none of a million", json: #"{"totalItems":1000000,"items":null}"#), exit: 0,
        says: "Nothing found."),
      ReplayRow(
        UnusualResponse("only broken volumes", json: #"{"totalItems":4,"items":[{},null,5,{"id":"x"}]}"#), exit: 1,
        says: "could be read"),
      ReplayRow(
        UnusualResponse("a broken volume among others", json: #"{"totalItems":2,"items":[{"id":"x"},\#(emma)]}"#),
        exit: 0,
        says: "1 volume could not be read"),
      ReplayRow(
        UnusualResponse(
          "a lone surrogate",
          json: #"{"totalItems":2,"items":[{"id":"x","volumeInfo":{"title":"\ud800"}},\#(emma)]}"#), exit: 0,
        says: "1 volume could not be read"),
      ReplayRow(
        UnusualResponse(
          "an empty title", json: #"{"totalItems":2,"items":[{"id":"one","volumeInfo":{"title":" "}},\#(emma)]}"#),
        exit: 0, says: "1 volume could not be read"),
      ReplayRow(
        UnusualResponse("duplicates", json: #"{"totalItems":2,"items":[\#(emma),\#(emma)]}"#), exit: 0, says: "Emma"),
      ReplayRow(
        UnusualResponse("less than is stored", json: #"{"items":[{"id":"one","volumeInfo":{"title":"Emma"}}]}"#),
        exit: 0,
        says: "Emma"),
      ReplayRow(
        UnusualResponse(
          "null and omitted optional fields",
          json: #"{"items":[{"id":"one","volumeInfo":{"title":"Emma","authors":[],"publisher":"","publishedDate":null,"#
            + #""description":" ","imageLinks":{},"industryIdentifiers":[]}}]}"#), exit: 0, says: "Emma"),
      ReplayRow(
        UnusualResponse(
          "numbers for texts",
          json: #"{"items":[{"id":"one","volumeInfo":{"title":"Emma","publishedDate":2003}}]}"#), exit: 0, says: "Emma"),
      ReplayRow(page, exit: 0, says: "Emma"), ReplayRow(page.dripping(), exit: 0, says: "Emma"),
      ReplayRow(page.afterWaiting(), exit: 0, says: "Emma"), ReplayRow(page.truncated(), exit: 1, says: "lost"),
      ReplayRow(page.halved(), exit: 1, says: "not JSON"),
      ReplayRow(UnusualResponse("204", .status(204)), exit: 1, says: "empty"),
      ReplayRow(
        UnusualResponse("429 always", .status(429, headers: ["Retry-After": "0"])), exit: 1, says: "status 429"),
      ReplayRow(
        UnusualResponse("500", .status(500, headers: ["Retry-After": "0"], "oops")), exit: 1, says: "status 500"),
    ]

  @Test(arguments: searches)
  func `a search with an unusual response ends as expected and removes no books`(row: ReplayRow) async throws {
    try await Self.kept.value.lay(in: folder)
    let before = try await list()
    let server = try ReplayServer(row.answer, at: "/volumes")
    let keep = row.exit == 0 && row.says != "Nothing found." ? ["--add", "1"] : []
    let output = try await bookLab(["search", "emma", "--store", store, "--base-url", server.url] + keep)
    #expect(output.status == row.exit, "\(output)")
    #expect(row.isSaid(by: output), "\(output)")
    #expect(row.exit == 0 || !output.text.contains("Nothing found."))
    expectPlainWords(output, of: "BookLab")
    #expect(try await list() == before)
    let json = try await bookLab("search", "emma", "--store", store, "--base-url", server.url, "--json")
    #expect(json.status == row.exit, "\(json)")
  }

  static let laterPages = searches.filter { $0.exit == 1 && !$0.answer.name.contains("broken") }

  @Test(arguments: laterPages)
  func `an unreadable later page is reported, and the books before it are kept`(row: ReplayRow) async throws {
    let items = (1...40).map { #"{"id":"b\#($0)","volumeInfo":{"title":"Book \#($0)"}}"# }.joined(separator: ",")
    let server = try ReplayServer(row.answer, at: "/volumes", matching: { $0.query("startIndex") != "0" }) { _ in
      .json(#"{"totalItems":1000000,"items":[\#(items)]}"#)
    }
    let output = try await bookLab("search", "emma", "--store", store, "--base-url", server.url, "--json")
    #expect(output.status == 1, "\(output.errors)")
    #expect(output.errors.contains("the list is incomplete") && output.errors.contains(row.says), "\(output.errors)")
    expectPlainWords(output, of: "BookLab")
    #expect(try output.json(Results.self).books.count == 40)
  }

  @Test func `typing reports the reason when all volumes are broken`() async throws {
    let server = try ReplayServer(
      UnusualResponse("broken", json: #"{"totalItems":2,"items":[{},{"id":"x"}]}"#), at: "/volumes")
    for arguments in [[], ["--json"]] {
      let output = try await bookLab(["type", "--base-url", server.url] + arguments, input: "emma\n")
      #expect(output.status == 1 && output.text.isEmpty, "\(output)")
      #expect(output.errors.contains("could not be understood"), "\(output)")
    }
  }

  @Test func `BookLab does not print a key that the service repeats`() async throws {
    let answer = UnusualResponse(
      "key", json: Self.error(403, "Consumer api_key:sek/ret-9 and sek%2Fret%2D9"), status: 403)
    let server = try ReplayServer(answer, at: "/volumes")
    let output = try await bookLab(
      ["search", "emma", "--store", store, "--base-url", server.url],
      environment: ["GOOGLE_BOOKS_API_KEY": "sek/ret-9"])
    #expect(output.errors.contains("api_key:<key> and <key>"), "\(output)")
  }

  // MARK: Volumes

  private static let volume = UnusualResponse("the expected response", json: emma)

  static let volumes =
    ReplayRow.neverAnAnswer + [
      ReplayRow(
        UnusualResponse("an error with 200", json: error(404, "No such volume.")), exit: 1, says: "No such volume."),
      ReplayRow(
        UnusualResponse("an error with 404", json: error(404, "No such volume."), status: 404), exit: 1,
        says: "No such volume."),
      ReplayRow(
        UnusualResponse("another volume", json: #"{"id":"two","volumeInfo":{"title":"Persuasion"}}"#), exit: 1,
        says: "instead of"),
      ReplayRow(
        UnusualResponse(
          "another volume of the same book",
          json:
            #"{"id":"two","volumeInfo":{"title":"Persuasion","industryIdentifiers":[{"type":"ISBN_13","identifier":"9780141439587"}]}}"#
        ),
        exit: 1, says: "instead of"),
      ReplayRow(
        UnusualResponse("no title", json: #"{"id":"one","volumeInfo":{}}"#), exit: 1, says: "['title']: missing"),
      ReplayRow(
        UnusualResponse("no title", json: #"{"id":"one","volumeInfo":{}}"#), exit: 1, says: "['title']: missing"),
      ReplayRow(
        UnusualResponse("an empty title", json: #"{"id":"one","volumeInfo":{"title":""}}"#), exit: 1, says: "understood"
      ),
      ReplayRow(UnusualResponse("no id", json: #"{"volumeInfo":{"title":"Emma"}}"#), exit: 1, says: "['id']: missing"),
      ReplayRow(
        UnusualResponse("less than is stored", json: #"{"id":"one","volumeInfo":{"title":"Emma"}}"#), exit: 0, says: ""),
      ReplayRow(
        UnusualResponse(
          "null for all", json: #"{"id":"one","volumeInfo":{"title":"Emma","authors":null,"description":null}}"#),
        exit: 0, says: ""),
      ReplayRow(
        UnusualResponse(
          "empty values for stored fields",
          json: #"{"id":"one","volumeInfo":{"title":"Emma","authors":[" ",""],"publisher":"\u202e","#
            + #""industryIdentifiers":[{"type":"ISBN_13","identifier":"000"}],"#
            + #""imageLinks":{"smallThumbnail":"javascript:x"}}}"#), exit: 0, says: ""),
      ReplayRow(
        UnusualResponse(
          "an author that is null",
          json: #"{"id":"one","volumeInfo":{"title":"Emma","authors":["Jane Austen",null]}}"#), exit: 0, says: ""),
      ReplayRow(
        UnusualResponse("a page", json: #"{"totalItems":1,"items":[\#(emma)]}"#), exit: 1, says: "['id']: missing"),
      ReplayRow(volume, exit: 0, says: ""), ReplayRow(volume.dripping(), exit: 0, says: ""),
      ReplayRow(volume.afterWaiting(), exit: 0, says: ""), ReplayRow(volume.truncated(), exit: 1, says: "lost"),
      ReplayRow(volume.halved(), exit: 1, says: "not JSON"),
      ReplayRow(UnusualResponse("204", .status(204)), exit: 1, says: "empty"),
      ReplayRow(
        UnusualResponse("429 always", .status(429, headers: ["Retry-After": "0"])), exit: 1, says: "status 429"),
      ReplayRow(
        UnusualResponse("500", .status(500, headers: ["Retry-After": "0"], "oops")), exit: 1, says: "status 500"),
    ]

  @Test(arguments: volumes, [false, true])
  func `adding a book with an unusual response keeps its known fields`(row: ReplayRow, isKept: Bool) async throws {
    if isKept { try await Self.kept.value.lay(in: folder) }
    let before = isKept ? try await list() : []
    let server = try ReplayServer(row.answer, at: "/volumes/{id}")
    let output = try await bookLab("add", "one", "--store", store, "--base-url", server.url)
    #expect(output.status == row.exit, "\(output)")
    #expect(row.isSaid(by: output), "\(output)")
    expectPlainWords(output, of: "BookLab")
    let after = FileManager.default.fileExists(atPath: store) ? try await list() : []
    if isKept || row.exit != 0 { #expect(after == before) } else { #expect(after.map(\.title) == ["Emma"]) }
  }
}
