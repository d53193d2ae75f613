import FetchKit
import FetchKitTesting
public import Foundation

/// Replicas of the web APIs that the examples talk to, over a real loopback socket.
///
/// The data is generated: nothing is fetched from anywhere, and every process generates the same.
public final class ExampleServer: Sendable {
  /// What the numbers that change, such as ratings, depend on.
  public enum Numbers: Sendable {
    /// They change only when told to: see `changeNumbers()`.
    case fixed
    /// They change every minute, so that a later refresh has something to find.
    case drifting
  }

  private let server: LoopbackServer
  private let numbers: Numbers
  private let changes = Lock(0)

  /// Starts to serve on a free port of 127.0.0.1.
  ///
  /// - Throws: When no socket can be had.
  public init(numbers: Numbers = .drifting) throws {
    server = try LoopbackServer()
    self.numbers = numbers
    let database = MovieDatabase()
    for route in ["/3/search/movie", "/3/movie/{id}"] {
      server.on(.get, route) { [weak self] request in
        let path = request.path.dropFirst("/3/".count)
        let query = Dictionary(request.queryItems.map { ($0.name, $0.value ?? "") }) { first, _ in first }
        return database.answer(path: String(path), query: query, tick: self?.tick ?? 0).response(to: request)
      }
    }
  }

  /// What stands in place of `https://api.themoviedb.org/3`.
  public var movieDatabaseURL: URL { server.url.appending(path: "3") }

  /// How many requests have come so far.
  public var requestCount: Int { server.requests.count }

  /// Gives every movie other numbers.
  public func changeNumbers() {
    changes.withLock { $0 += 1 }
  }

  /// Ends all connections and frees the port.
  public func stop() {
    server.stop()
  }

  private var tick: Int {
    let told = changes.withLock { $0 }
    return switch numbers {
    case .fixed: told
    case .drifting: told + Int(Date.now.timeIntervalSince1970 / 60)
    }
  }
}

extension Answer {
  /// With its validator; 304 without a body where the client has it already.
  fileprivate func response(to request: LoopbackRequest) -> LoopbackResponse {
    if request.headers["If-None-Match"] == entityTag {
      return .status(304, headers: ["ETag": entityTag])
    }
    var response = LoopbackResponse.json(body, status: status)
    if status == 200 { response.headers["ETag"] = entityTag }
    return response
  }
}
