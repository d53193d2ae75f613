import Decoding
import FetchKit
import FetchKitTesting
import Foundation
import Testing

/// The examples of the documentation, compiled and, where they can, run. An example that changes there changes here.
@Suite(.timeLimit(.minutes(10))) struct DocumentationTests {
  struct Movie: Decodable, Sendable {
    var id: Int64
    var title: String
  }

  enum MovieDB: Endpoint {
    static let stub = StubTransport(
      simulating: { request in
        request.path.hasSuffix("/search/movie")
          ? .json(#"{"results": [{"id": 275, "title": "Fargo", "popularity": 21.5}]}"#)
          : .json(#"{"id": 275, "title": "Fargo", "vote_average": 8.1}"#)
      })

    case search(title: String), movie(id: Int64)

    var baseURL: URL { URL(string: "https://api.example.com/3")! }
    var path: String {
      switch self {
      case .search: "search/movie"
      case .movie(let id): "movie/\(id)"
      }
    }
    var queryItems: [URLQueryItem] {
      switch self {
      case .search(let title): [URLQueryItem(name: "query", value: title)]
      case .movie: []
      }
    }
  }

  struct Rating: TypedEndpoint {
    var id: Int64
    var baseURL: URL { MovieDB.movie(id: id).baseURL }
    var path: String { "movie/\(id)" }
    var strategy: ExtractionStrategy<Double> { .json(at: "vote_average") }
  }

  private let client = FetchClient {
    $0.transport = MovieDB.stub
    $0.retry = .standard
    $0.redactedQueryItems = ["api_key"]
  }

  @Test func `the documented endpoints, strategies and typed endpoints work`() async throws {
    let movie = try await client.fetch(MovieDB.movie(id: 275), .json(Movie.self))
    let rating = try await client.fetch(MovieDB.movie(id: 275), .json(Double.self, at: "vote_average"))
    let search = MovieDB.search(title: "Fargo")
    let popularity = try await client.fetch(search, .json(Double.self, at: "results[0].popularity"))
    let size = try await client.fetch(search, ExtractionStrategy { $0.body.count })
    #expect(movie.title == "Fargo")
    #expect(rating == 8.1)
    #expect(popularity == 21.5)
    #expect(size > 0)
    #expect(try await client.fetch(Rating(id: 275)) == 8.1)
  }

  @Test @MainActor func `the documented callbacks run in their own isolation`() async {
    let rating: Double? = await withCheckedContinuation { continuation in
      client.fetch(Rating(id: 275)) { @MainActor result in continuation.resume(returning: try? result.get()) }
    }
    #expect(rating == 8.1)
  }

  @Test func `the documented error handling distinguishes errors by case`() async {
    do throws(FetchError) {
      _ = try await client.fetch(MovieDB.movie(id: 275), .json(Int.self, at: "title"))
      Issue.record("a title was decoded as a number")
    } catch {
      switch error {
      case .cancelled: Issue.record("the fetch was cancelled")
      case .status(let failure, _) where failure.status == 404: Issue.record("the movie is missing")
      case _ where error.isRetryable: Issue.record("the error is retryable")
      default: #expect(error.description.contains("title"))
      }
    }
  }

  @Test func `the documented refresh reports its outcome`() async {
    let refresh = Refresh { $0.budget = .seconds(25) }
    let report = await refresh.run([275, 276] as [Int64]) { [client] id in
      let rating = try await client.fetch(Rating(id: id))
      return rating > 8 ? .changed : .unchanged
    }
    #expect(report.result == .newData)
  }

  @Test func `the documented authentication and logging work`() async throws {
    struct Token: Sendable { var text: String }
    let tokens = Authenticator<Token>(
      current: nil, apply: { token, request in request.headers["Authorization"] = "Bearer \(token.text)" },
      refresh: { _ in Token(text: "t") })
    let client = FetchClient {
      $0.transport = StubTransport(
        simulating: { .status($0.headers["Authorization"] == "Bearer t" ? 200 : 401) })
      $0.interceptors = [tokens]
      $0.monitors = [LogMonitor { line in #expect(!line.contains("Bearer")) }]
    }
    try await client.fetch("http://example.com", .void)
  }

  @Test func `the documented retry of a rating succeeds after a connection reset`() async throws {
    let server = try LoopbackServer()
    server.on(.get, "/movie/275", .json("{}").cut(after: .body(bytes: 1), by: .reset), .json(#"{"vote": 8.1}"#))
    let client = FetchClient {
      $0.retry = .standard
      $0.random = { 0 }
    }
    let url = server.url.appending(path: "movie/275")
    #expect(try await client.fetch(url, .json(Double.self, at: "vote")) == 8.1)
    #expect(server.requests.count == 2)
  }

  @Test func `a simulated fault needs no socket and takes no time`() async throws {
    let clock = ManualClock()
    let stub = StubTransport(simulating: { _ in .text("hello").cut(after: .body(bytes: 2), by: .stall) }, clock: clock)
    let url = URL(string: "http://example.com")!
    let request = TransportRequest(.get, url, timeouts: Timeouts(idle: .seconds(30), total: .seconds(60)))
    async let word = outcome(of: request, on: stub)
    await clock.sleepers(atLeast: 1)
    clock.advance(by: .seconds(30))
    #expect(await word == "idle")

    let gate = LoopbackGate()
    let held = StubTransport(simulating: { _ in .text("hello").held(at: gate) }, clock: clock)
    let task = Task { await outcome(of: request, on: held) }
    task.cancel()
    #expect(await task.value == "cancelled")
    gate.open()
    #expect(await outcome(of: request, on: held) == "200:5")
  }

  @Test(arguments: [(LoopbackResponse.Point.body(bytes: 0), ""), (.body(bytes: 2), "he"), (.body(bytes: 5), "hello")])
  func `a simulated body is held at the same point as by the server`(point: LoopbackResponse.Point, early: String)
    async throws
  {
    let gate = LoopbackGate()
    let stub = StubTransport(simulating: { _ in .text("hello").held(at: gate, after: point) }, clock: ManualClock())
    let url = try #require(URL(string: "http://example.com"))
    let response = try await stub.send(TransportRequest(.get, url, delivery: .stream))
    var body = response.body.makeAsyncIterator()
    var received = Data()
    if !early.isEmpty { received += try #require(try await body.next()) }
    #expect(String(decoding: received, as: UTF8.self) == early && response.head.status == 200)
    gate.open()
    while let chunk = try await body.next() { received += chunk }
    #expect(String(decoding: received, as: UTF8.self) == "hello")
  }

  @Test func `a repeated body compressed with gzip arrives whole`() async throws {
    let server = try LoopbackServer()
    var repeated = LoopbackResponse(status: 200)
    repeated.body = .repeated(Data("ab".utf8), count: 1000)
    server.on("/repeated", repeated.gzipped())
    let client = FetchClient()
    let text = try await client.fetch(server.url.appending(path: "repeated"), .string)
    #expect(text == String(repeating: "ab", count: 1000))
  }
}
