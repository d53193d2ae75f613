import FetchKit
import FetchKitTesting
public import Foundation

/// Replicas of the web APIs that the examples talk to, over a real loopback socket.
///
/// The data is generated: nothing is fetched from anywhere, and every process generates the same.
public final class ExampleServer: Sendable {
  /// What the numbers that change, such as ratings, depend on.
  public enum Numbers: Sendable {
    /// They are always the same for a seed, and change only when told to: see `changeNumbers()`.
    case seeded(Int)
    /// They change every minute, so that a later refresh has something to find.
    case drifting
  }

  private let server: LoopbackServer
  private let numbers: Numbers
  private let trouble: Trouble
  private let state = Lock((changes: 0, requests: 0))

  /// Starts to serve on 127.0.0.1.
  ///
  /// - Parameters:
  ///   - port: 0 takes a free one.
  ///   - numbers: What the numbers depend on.
  ///   - trouble: What goes wrong.
  /// - Throws: When no socket can be had, as when the port is taken.
  public init(port: UInt16 = 0, numbers: Numbers = .drifting, trouble: Trouble = Trouble()) throws {
    server = try LoopbackServer(port: port)
    self.numbers = numbers
    self.trouble = trouble
    let origin = server.url.absoluteString

    let movies = MovieDatabase()
    for route in ["/3/search/movie", "/3/movie/{id}"] {
      serve(route) { path, query, tick in
        movies.answer(path: String(path.dropFirst("/3/".count)), query: query, tick: tick)
      }
    }
    // Pictures first: their route fits the two others as well, and the one registered last counts.
    serve("/{server}/{name}") { path, _, _ in PhotoService().picture(path: path) }
    for route in ["/services/rest", "/services/rest/"] {
      serve(route) { _, query, tick in PhotoService().answer(query: query, tick: tick) }
    }
    let books = BookService(origin: origin)
    serve("/books/v1/volumes") { _, query, tick in books.search(query, tick: tick) }
    serve("/books/v1/volumes/{id}") { path, query, tick in
      books.volume(String(path.dropFirst("/books/v1/volumes/".count)), query, tick: tick)
    }
    serve("/books/content") { _, query, _ in books.cover(query) }
  }

  /// The root of the server.
  public var url: URL { server.url }
  /// What stands in place of `https://api.themoviedb.org/3`.
  public var movieDatabaseURL: URL { server.url.appending(path: "3") }
  /// What stands in place of `https://api.flickr.com/services/rest`.
  public var photosURL: URL { server.url.appending(path: "services/rest") }
  /// What stands in place of `https://www.googleapis.com/books/v1`.
  public var booksURL: URL { server.url.appending(path: "books/v1") }

  /// How many requests have come so far.
  public var requestCount: Int { state.withLock { $0.requests } }

  /// Goes on to other numbers, as the clock does when they drift: ratings differ, and there are new photos.
  public func changeNumbers() {
    state.withLock { $0.changes += 1 }
  }

  /// Ends all connections and frees the port.
  public func stop() {
    server.stop()
  }

  private var tick: Int {
    let told = state.withLock { $0.changes }
    return switch numbers {
    // Minutes since 1970, as of a day in February 2025.
    case .seeded(let seed): 29_000_000 + seed + told
    case .drifting: told + Int(Date.now.timeIntervalSince1970 / 60)
    }
  }

  private func serve(
    _ route: String, _ answer: @escaping @Sendable (_ path: String, _ query: [String: String], _ tick: Int) -> Answer
  ) {
    server.on(.get, route) { [weak self] request in
      guard let self else { return .status(503) }
      let query = Dictionary(request.queryItems.map { ($0.name, $0.value ?? "") }) { first, _ in first }
      return troubled(answer(request.path, query, tick).response(to: request))
    }
  }

  private func troubled(_ response: LoopbackResponse) -> LoopbackResponse {
    let number = state.withLock { state in
      state.requests += 1
      return state.requests
    }
    func isTurn(_ every: Int?) -> Bool { every.map { number.isMultiple(of: max(1, $0)) } ?? false }
    var response = response
    if isTurn(trouble.failEvery) || trouble.failAfter.map({ number > $0 }) ?? false {
      response = .status(503, headers: ["Retry-After": "1"], "Service unavailable")
    } else if isTurn(trouble.breakEvery), case .data(let body) = response.body {
      response = response.cut(after: .body(bytes: body.count / 2), by: .reset)
    }
    if trouble.latency > .zero { response = response.delayed(by: trouble.latency) }
    guard let rate = trouble.bytesPerSecond else { return response }
    return response.dripping(bytes: max(1, rate / 50), every: .milliseconds(20))
  }
}
