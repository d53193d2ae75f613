internal import Dispatch
public import FetchKit
public import Foundation

/// A real HTTP/1.1 server on a loopback socket in this process, with faults on demand.
///
/// ```swift
/// let server = try LoopbackServer()
/// server.on(.get, "/movie/{id}") { request in .json(#"{"id": \#(request.parameters["id"] ?? "0")}"#) }
/// server.on("/flaky", .status(503), .text("there you are"))          // one after the other, the last one stays
/// server.on("/broken", .text("hello").cut(after: .body(bytes: 2), by: .reset))
/// let movie = try await client.fetch(server.url.appending(path: "movie/275"), .json(Movie.self))
/// server.stop()
/// ```
///
/// It serves from the moment it is made, on 127.0.0.1 only, keeps connections alive and answers pipelined requests in
/// order. All of its work is on one queue of its own; handlers run as tasks. A request without a route gets 404, or 405
/// where only the method differs. When a client closes while an answer is delayed or held, the answer is dropped. A
/// client that only ends its sending looks the same from here, so it gets no such answer either, but all that can be
/// sent at once.
public final class LoopbackServer: Sendable {
  /// Makes the answer to a request; what it throws is answered with 500.
  public typealias Handler = @Sendable (LoopbackRequest) async throws -> LoopbackResponse

  /// How far a request must have come before it is answered.
  public enum Moment: Sendable {
    /// The head is there; the body is not waited for.
    case head
    /// So many bytes of the body are there, or all of it.
    case body(bytes: Int)
    /// All of the request is there.
    case complete
  }

  /// How much of a request's body is kept in ``LoopbackRequest/body``.
  public static let keptBodyBytes = 16 << 20

  /// The root of the server: `http://127.0.0.1:` and the port.
  public let url: URL
  /// The port it listens on.
  public let port: UInt16
  private let routes = Routes()
  private let listener: Listener

  /// Starts serving.
  ///
  /// - Parameter port: 0 takes a free one.
  /// - Throws: an error that names the socket call that failed, as when the port is taken.
  public init(port: UInt16 = 0) throws {
    let socket = try Socket.listening(port: port)
    self.port = socket.port
    var parts = URLComponents()
    parts.scheme = "http"
    parts.host = "127.0.0.1"
    parts.port = Int(socket.port)
    guard let url = parts.url else {
      socket.close()
      throw CocoaError(.coderInvalidValue)
    }
    self.url = url
    listener = Listener(socket, routes)
    listener.start()
  }

  deinit {
    listener.stop(routes)
  }

  /// Answers requests of one method for a path.
  ///
  /// - Parameters:
  ///   - method: The one method.
  ///   - path: Plain text, with or without a slash in front. Segments written `{name}` match any one segment and are
  ///     handed to the handler; `*` alone matches every path that no other route fits.
  ///   - moment: How far the request must have come.
  ///   - handler: Makes the answer. The route registered last wins.
  public func on(
    _ method: HTTPMethod, _ path: String, at moment: Moment = .complete, handler: @escaping Handler
  ) {
    add(method, path, moment, .handler(handler))
  }

  /// Answers requests of any method for a path.
  public func on(_ path: String, at moment: Moment = .complete, handler: @escaping Handler) {
    add(nil, path, moment, .handler(handler))
  }

  /// Answers requests of one method for a path with fixed responses, one after the other; the last one is used from
  /// then on.
  public func on(
    _ method: HTTPMethod, _ path: String, at moment: Moment = .complete, _ response: LoopbackResponse,
    _ next: LoopbackResponse...
  ) {
    add(method, path, moment, .responses([response] + next))
  }

  /// Answers requests of any method for a path with fixed responses, one after the other; the last one is used from
  /// then on.
  public func on(
    _ path: String, at moment: Moment = .complete, _ response: LoopbackResponse, _ next: LoopbackResponse...
  ) {
    add(nil, path, moment, .responses([response] + next))
  }

  /// Breaks the next connections right after accepting them, one fault each.
  public func breakNextConnections(_ faults: LoopbackResponse.Break...) {
    routes.addConnectionFaults(faults)
  }

  /// The requests received so far.
  public var requests: [LoopbackRequest] { routes.seen.value.requests }

  /// How many connections have been accepted.
  public var acceptedConnections: Int { routes.seen.value.accepted }

  /// How many connections are open.
  public var openConnections: Int { routes.seen.value.open }

  /// Waits until so many requests have been received, the server is stopped, or the task is cancelled; returns those
  /// there are.
  @discardableResult
  public func requests(atLeast count: Int) async -> [LoopbackRequest] {
    await routes.seen.wait { $0.requests.count >= count || $0.isStopped }.requests
  }

  /// Waits until no connection is open, or the task is cancelled.
  public func allConnectionsClosed() async {
    await routes.seen.wait { $0.open == 0 }
  }

  /// Ends every connection, frees the port, and returns when every descriptor is closed. Again, it does nothing.
  public func stop() {
    listener.stop(routes)
  }

  private func add(_ method: HTTPMethod?, _ path: String, _ moment: Moment, _ content: Routes.Content) {
    let segments = path == "*" ? ["*"] : Routes.segments(of: path[...])
    routes.add(Routes.Route(method: method, segments: segments, moment: moment, content: content))
  }
}
