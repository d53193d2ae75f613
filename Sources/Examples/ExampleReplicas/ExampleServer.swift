import FetchKit
import FetchKitTesting
public import Foundation

/// A server with replicas of the web APIs that the examples use. It listens on a real loopback socket.
///
/// The server generates all data and fetches nothing from other servers. Every process generates the same data.
public final class ExampleServer: Sendable {
  /// How the server generates values that change over time, such as ratings.
  public enum Numbers: Sendable {
    /// The values are determined by the seed. They change only when `changeNumbers()` is called.
    case seeded(Int)
    /// The values change every minute, so that a later refresh receives new values.
    case drifting
  }

  private let server: LoopbackServer
  private let numbers: Numbers
  private let faults: InjectedFaults
  private let state = Lock((changes: 0, requests: 0))

  /// Starts a server on 127.0.0.1.
  ///
  /// - Parameters:
  ///   - port: The port, or 0 to choose a free one.
  ///   - numbers: How the server generates values that change over time.
  ///   - faults: The failures to simulate.
  /// - Throws: An error if no socket can be opened, for example because the port is in use.
  public init(port: UInt16 = 0, numbers: Numbers = .drifting, faults: InjectedFaults = InjectedFaults()) throws {
    server = try LoopbackServer(port: port)
    self.numbers = numbers
    self.faults = faults
    let origin = server.url.absoluteString

    let movies = MovieDatabase()
    for route in ["/3/search/movie", "/3/movie/{id}"] {
      serve(route) { path, query, tick in
        movies.answer(path: String(path.dropFirst("/3/".count)), query: query, tick: tick)
      }
    }
    // The pictures are registered first, because their route also matches the two others and the route registered last
    // wins.
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

  /// The root URL of the server.
  public var url: URL { server.url }
  /// The URL of the replica that replaces `https://api.themoviedb.org/3`.
  public var movieDatabaseURL: URL { server.url.appending(path: "3") }
  /// The URL of the replica that replaces `https://api.flickr.com/services/rest`.
  public var photosURL: URL { server.url.appending(path: "services/rest") }
  /// The URL of the replica that replaces `https://www.googleapis.com/books/v1`.
  public var booksURL: URL { server.url.appending(path: "books/v1") }

  /// The number of requests received so far.
  public var requestCount: Int { state.withLock { $0.requests } }

  /// Changes the values that change over time, as if a minute had passed: ratings change, and new photos appear.
  public func changeNumbers() {
    state.withLock { $0.changes += 1 }
  }

  /// Closes all connections and releases the port.
  public func stop() {
    server.stop()
  }

  private var tick: Int {
    let told = state.withLock { $0.changes }
    return switch numbers {
    // Minutes since 1970, for a day in February 2025.
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
    if isTurn(faults.failEvery) || faults.failAfter.map({ number > $0 }) ?? false {
      response = .status(503, headers: ["Retry-After": "1"], "Service unavailable")
    } else if isTurn(faults.breakEvery), case .data(let body) = response.body {
      response = response.cut(after: .body(bytes: body.count / 2), by: .reset)
    }
    if faults.latency > .zero { response = response.delayed(by: faults.latency) }
    guard let rate = faults.bytesPerSecond else { return response }
    return response.dripping(bytes: max(1, rate / 50), every: .milliseconds(20))
  }
}
