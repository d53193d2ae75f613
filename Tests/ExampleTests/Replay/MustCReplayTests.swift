import FetchKit
import FetchKitTesting
import Foundation
import LarderTestSupport
import Testing

/// Unusual responses of a movie database, and how `MustC` handles them: its exit code, its messages, and what is
/// stored afterwards.
@Suite struct MustCReplayTests {
  private let mustC = Program(name: "MustC")
  private let folder: TemporaryFolder
  private var store: String { folder.path("mustc.store") }

  init() throws {
    folder = try TemporaryFolder()
  }

  private typealias Row = MustCTests.Row

  private static let movies = [
    ("Alien", "348", 8.1, "1979"), ("Fight Club", "550", 8.4, "1999"), ("The Matrix", "603", 8.2, "1999"),
  ]

  private static func json(_ movie: (title: String, id: String, rating: Double, year: String)) -> String {
    #"{"id":\#(movie.id),"title":"\#(movie.title)","popularity":50.5,"vote_average":\#(movie.rating),"#
      + #""release_date":"\#(movie.year)-06-01"}"#
  }

  private static let full = UnusualResponse("the expected response") { id, _ in
    movies.first { $0.1 == id }.map { .json(json($0)) } ?? .status(404)
  }

  /// Three movies with their numbers, all Ann's.
  private static let three = Task {
    try await StoreSnapshot { folder in
      let server = try LoopbackServer()
      server.on("/search/movie") { request in
        let hits = movies.filter { $0.0 == request.query("query") }.map(json).joined(separator: ",")
        return .json(#"{"page":1,"results":[\#(hits)]}"#)
      }
      for movie in movies {
        let output = try await Program(name: "MustC")(
          "add", movie.0, "--member", "Ann", "--base-url", server.url.absoluteString, "--store",
          folder.path("mustc.store"))
        #expect(output.status == 0, "\(output.errors)")
      }
    }
  }

  private func list() async throws -> [Row] {
    try await mustC("list", "--store", store, "--base-url", "http://127.0.0.1:9", "--json").json()
  }

  // MARK: Details

  private static let error = #"{"success":false,"status_code":7,"status_message":"Invalid API key: no such key."}"#

  static let details =
    ReplayRow.neverAnAnswer + [
      ReplayRow(UnusualResponse("an error with 200", json: error), exit: 1, says: "Invalid API key: no such key."),
      ReplayRow(
        UnusualResponse("an error with 401", json: error, status: 401), exit: 1, says: "Invalid API key: no such key."),
      ReplayRow(
        UnusualResponse("an error with 404", json: error, status: 404), exit: 1, says: "Invalid API key: no such key."),
      ReplayRow(UnusualResponse("a movie that is stored", json: json(movies[2])), exit: 1, says: "instead of movie"),
      ReplayRow(
        UnusualResponse("a movie that is not stored", json: #"{"id":1,"title":"Alien","vote_average":1}"#), exit: 1,
        says: "instead of movie"),
      ReplayRow(
        UnusualResponse("no id", json: #"{"title":"Alien","vote_average":1}"#), exit: 1, says: "['id']: missing"),
      ReplayRow(
        UnusualResponse("no numbers", json: #"{"id":ID,"title":"Alien"}"#), exit: 0, says: "0 updated, 0 failed"),
      ReplayRow(
        UnusualResponse("null for numbers", json: #"{"id":ID,"title":"Alien","popularity":null,"vote_average":null}"#),
        exit: 0,
        says: "0 updated, 0 failed"),
      ReplayRow(
        UnusualResponse("impossible numbers", json: #"{"id":ID,"title":"Alien","popularity":-1,"vote_average":1e300}"#),
        exit: 0, says: "0 updated, 0 failed"),
      ReplayRow(
        UnusualResponse("an impossible year", json: #"{"id":ID,"title":"Alien","release_date":"19"}"#), exit: 0,
        says: "0 updated, 0 failed"),
      ReplayRow(
        UnusualResponse("NaN as text", json: #"{"id":ID,"title":"Alien","popularity":"nan","vote_average":"inf"}"#),
        exit: 1,
        says: "could not be understood"),
      ReplayRow(
        UnusualResponse("words for numbers", json: #"{"id":ID,"title":"Alien","vote_average":"very good"}"#), exit: 1,
        says: "could not be understood"),
      ReplayRow(
        UnusualResponse("a number for the title", json: #"{"id":ID,"title":1979}"#), exit: 0,
        says: "0 updated, 0 failed"),
      ReplayRow(
        UnusualResponse("another title", json: #"{"id":ID,"title":"Ali\u202een"}"#), exit: 0,
        says: "0 updated, 0 failed"),
      ReplayRow(
        UnusualResponse("an array of movies", json: "[\(json(movies[0]))]"), exit: 1, says: "could not be understood"),
      ReplayRow(
        UnusualResponse("an id out of range", json: #"{"id":9223372036854775808,"title":"Alien"}"#), exit: 1,
        says: "could not be understood"),
      ReplayRow(full, exit: 0, says: "noData"),
      ReplayRow(full.dripping(), exit: 0, says: "noData"),
      ReplayRow(full.afterWaiting(), exit: 0, says: "noData"),
      ReplayRow(full.truncated(), exit: 1, says: "lost"),
      ReplayRow(full.halved(), exit: 1, says: "not JSON"),
      ReplayRow(UnusualResponse("204", .status(204)), exit: 1, says: "empty"),
      ReplayRow(
        UnusualResponse("429 always", .status(429, headers: ["Retry-After": "0"])), exit: 1, says: "status 429"),
      ReplayRow(
        UnusualResponse("500", .status(500, headers: ["Retry-After": "0"], "oops")), exit: 1, says: "status 500"),
    ]

  @Test(arguments: details)
  func `a refresh with an unusual response neither loses nor changes data`(row: ReplayRow) async throws {
    try await Self.three.value.lay(in: folder)
    let before = try await list()
    #expect(before.map(\.rating) == [8.1, 8.4, 8.2])
    for style in ["group", "operations"] {
      let server = try ReplayServer(row.answer, at: "/movie/{id}")
      let output = try await mustC("refresh", "--style", style, "--store", store, "--base-url", server.url)
      #expect(output.status == row.exit, "\(output)")
      #expect(row.isSaid(by: output), "\(output)")
      expectPlainWords(output, of: "MustC")
      #expect(try await list() == before)
    }
  }

  @Test func `numbers in strings are read as numbers`() async throws {
    try await Self.three.value.lay(in: folder)
    let answer = UnusualResponse("text", json: #"{"id":"ID","title":"x","popularity":"7.5","vote_average":"6"}"#)
    let server = try ReplayServer(answer, at: "/movie/{id}")
    let output = try await mustC("refresh", "--store", store, "--base-url", server.url)
    #expect(output.text.contains("3 updated"), "\(output)")
    let rows = try await list()
    #expect(rows.map(\.title) == ["Alien", "Fight Club", "The Matrix"])
    #expect(rows.allSatisfy { $0.rating == 6 && $0.popularity == 7.5 })
  }

  @Test func `MustC does not print a key that the service repeats`() async throws {
    try await Self.three.value.lay(in: folder)
    let answer = UnusualResponse("key", json: #"{"status_message":"key sekret-9 is bad"}"#, status: 401)
    let server = try ReplayServer(answer, at: "/movie/{id}")
    let output = try await mustC(
      ["refresh", "--store", store, "--base-url", server.url], environment: ["TMDB_API_KEY": "sekret-9"])
    #expect(output.errors.contains("key <key> is bad"), "\(output)")
  }

  @Test(arguments: [183, 189, 195]) func `a key at the cut of a long message is not printed either`(length: Int)
    async throws
  {
    try await Self.three.value.lay(in: folder)
    let message = String(repeating: "x", count: length) + " sekret-9-sekret-9"
    let answer = UnusualResponse("key", json: #"{"status_message":"\#(message)"}"#, status: 401)
    let server = try ReplayServer(answer, at: "/movie/{id}")
    let output = try await mustC(
      ["refresh", "--store", store, "--base-url", server.url], environment: ["TMDB_API_KEY": "sekret-9-sekret-9"])
    #expect(output.errors.contains("xxx") && !output.errors.contains("sek"), "\(output)")
  }

  @Test func `watch reports an error of the service once`() async throws {
    try await Self.three.value.lay(in: folder)
    let asked = Lock(0)
    let server = try LoopbackServer()
    server.on("/movie/{id}") { _ in
      asked.withLock { $0 += 1 }
      return .json(Self.error, status: 401)
    }
    let watch = try mustC.start(
      ["watch", "--every", "0.02", "--store", store, "--base-url", server.url.absoluteString])
    #expect(await eventually { asked.withLock(\.self) >= 30 })
    watch.signal(SIGINT)
    let output = await watch.output()
    #expect(output.errors.components(separatedBy: "Invalid API key: no such key.").count == 2, "\(output)")
  }

  @Test func `a server other than the real service has its own store`() async throws {
    let server = try ReplayServer(Self.found, at: "/search/movie")
    let output = try await mustC(
      ["add", "Fargo", "--member", "Bob", "--base-url", server.url],
      environment: ["XDG_DATA_HOME": folder.url.path, "HOME": folder.url.path])
    #expect(output.status == 0, "\(output)")
    let stores = try FileManager.default.contentsOfDirectory(atPath: folder.path("larder"))
    let port = try #require(URL(string: server.url)?.port)
    #expect(stores.contains("mustc.127.0.0.1-\(port).store") && !stores.contains("mustc.store"), "\(stores)")
  }

  @Test(arguments: [
    "https://api.themoviedb.org/3/", "https://api.themoviedb.org:443/3", "HTTPS://API.themoviedb.org/4",
  ])
  func `the real service has one store, however its URL is written`(url: String) async throws {
    let output = try await mustC(
      ["list", "--base-url", url], environment: ["XDG_DATA_HOME": folder.url.path, "HOME": folder.url.path])
    #expect(output.errors.contains("larder/mustc.store"), "\(output)")
  }

  // MARK: Search

  private static let fargo =
    #"{"id":275,"title":"Fargo","popularity":21.5,"vote_average":7.9,"release_date":"1996-03-08"}"#
  private static let found = UnusualResponse("the expected response", json: #"{"page":1,"results":[\#(fargo)]}"#)

  /// For rows that end with 0, the words are those with which the movie is listed afterwards.
  static let searches =
    ReplayRow.neverAnAnswer + [
      ReplayRow(UnusualResponse("an error with 200", json: error), exit: 1, says: "Invalid API key: no such key."),
      ReplayRow(
        UnusualResponse("an error with 401", json: error, status: 401), exit: 1, says: "Invalid API key: no such key."),
      ReplayRow(UnusualResponse("no results", json: #"{"page":1}"#), exit: 1, says: "could not be understood"),
      ReplayRow(
        UnusualResponse("null for results", json: #"{"results":null}"#), exit: 1, says: "could not be understood"),
      ReplayRow(
        UnusualResponse("an object for results", json: #"{"results":{}}"#), exit: 1, says: "could not be understood"),
      ReplayRow(UnusualResponse("none", json: #"{"results":[]}"#), exit: 0, says: "has no “Fargo”"),
      ReplayRow(
        UnusualResponse("none of a million", json: #"{"page":1,"results":[],"total_results":1000000}"#), exit: 0,
        says: "has no “Fargo”"),
      ReplayRow(
        UnusualResponse("a hit without a title", json: #"{"results":[{"id":3},\#(fargo)]}"#), exit: 0,
        says: "rating 7.9"),
      ReplayRow(
        UnusualResponse("only broken hits", json: #"{"results":[{"id":3},{"title":"Fargo"},{},null,5]}"#), exit: 1,
        says: "could not be understood"),
      ReplayRow(
        UnusualResponse("an empty title", json: #"{"results":[{"id":3,"title":" "}]}"#), exit: 1,
        says: "could not be understood"),
      ReplayRow(
        UnusualResponse("duplicates", json: #"{"results":[\#(fargo),\#(fargo)]}"#), exit: 0, says: "rating 7.9"),
      ReplayRow(
        UnusualResponse("numbers as text", json: #"{"results":[{"id":"275","title":"Fargo","vote_average":"7.9"}]}"#),
        exit: 0,
        says: "rating 7.9"),
      ReplayRow(
        UnusualResponse("no numbers", json: #"{"results":[{"id":275,"title":"Fargo"}]}"#), exit: 0,
        says: "Stored: Fargo"),
      ReplayRow(found, exit: 0, says: "rating 7.9"),
      ReplayRow(found.dripping(), exit: 0, says: "rating 7.9"),
      ReplayRow(found.afterWaiting(), exit: 0, says: "rating 7.9"),
      ReplayRow(found.truncated(), exit: 0, says: "run refresh to try again"),
      ReplayRow(found.halved(), exit: 1, says: "not JSON"),
      ReplayRow(UnusualResponse("204", .status(204)), exit: 1, says: "empty"),
      ReplayRow(
        UnusualResponse("429 always", .status(429, headers: ["Retry-After": "0"])), exit: 0,
        says: "run refresh to try again"),
      ReplayRow(
        UnusualResponse("500", .status(500, headers: ["Retry-After": "0"], "oops")), exit: 0,
        says: "run refresh to try again"),
    ]

  @Test(arguments: searches, [false, true])
  func `a movie added with an unusual response is stored, and no other movie changes`(
    row: ReplayRow, hasMovies: Bool
  ) async throws {
    if hasMovies { try await Self.three.value.lay(in: folder) }
    let before = hasMovies ? try await list() : []
    let server = try ReplayServer(row.answer, at: "/search/movie")
    let output = try await mustC("add", "Fargo", "--member", "Bob", "--store", store, "--base-url", server.url)
    #expect(output.status == row.exit, "\(output)")
    #expect(row.isSaid(by: output), "\(output)")
    expectPlainWords(output, of: "MustC")
    let after = try await list()
    #expect(after.filter { $0.title != "Fargo" } == before)
    #expect(after.filter { $0.title == "Fargo" }.map(\.members) == [["Bob"]])
  }

  @Test func `a movie whose title was not found is not silently replaced by another`() async throws {
    let away = try ReplayServer(UnusualResponse("away", json: #"{"results":[]}"#), at: "/search/movie")
    _ = try await mustC("add", "Fargo", "--member", "Bob", "--store", store, "--base-url", away.url)
    let other = UnusualResponse("others", json: #"{"results":[{"id":603,"title":"The Matrix","vote_average":8.2}]}"#)
    let server = try ReplayServer(other, at: "/search/movie")
    let output = try await mustC("refresh", "--store", store, "--base-url", server.url)
    #expect(output.status == 0, "\(output)")
    #expect(output.errors.contains("Not found by title: “Fargo”."), "\(output)")
    let refused = try ReplayServer(UnusualResponse("refused", json: Self.error, status: 403), at: "/search/movie")
    let failed = try await mustC("refresh", "--store", store, "--base-url", refused.url)
    #expect(failed.status == 1 && !failed.errors.contains("Not found by title"), "\(failed)")
    #expect(try await list() == [Row(title: "Fargo", remoteID: nil, popularity: nil, rating: nil, members: ["Bob"])])
  }
}
