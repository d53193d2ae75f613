internal import Dispatch
public import FetchKit
public import Foundation

/// An HTTP/1.1 server for tests. The server runs in the test process on a loopback socket and can inject faults.
///
/// ```swift
/// let server = try LoopbackServer()
/// server.on(.get, "/movie/{id}") { request in
///   .json(#"{"id": \#(request.parameters["id"] ?? "0")}"#)
/// }
/// // In order; the last one repeats.
/// server.on("/flaky", .status(503), .text("there you are"))
/// server.on("/broken", .text("hello").cut(after: .body(bytes: 2), by: .reset))
/// let movie = try await client.fetch(
///   server.url.appending(path: "movie/275"), .json(Movie.self))
/// server.stop()
/// ```
///
/// The server runs as soon as it is created, listens on 127.0.0.1 only, keeps connections alive and answers pipelined
/// requests in order. The server works on a private serial queue and runs each handler in a task. A request that
/// matches no route is answered with status code 404, or 405 if a route matches its path but not its method. If a
/// client closes its connection while a handler is running or while a response is delayed or held, the response is
/// discarded. This also happens if the client closes only its sending half, because the server cannot distinguish the
/// two cases. A client that closes its sending half therefore receives only what the server can send immediately.
public final class LoopbackServer: Sendable {
  /// A function that creates the response to a request. If the function throws an error, the server answers with status
  /// code 500.
  public typealias Handler = @Sendable (LoopbackRequest) async throws -> LoopbackResponse

  /// The moment at which the server answers a request.
  public enum Moment: Sendable {
    /// After the head, without waiting for the body.
    case head
    /// After the given number of bytes of the body, or after the whole body if the body is shorter.
    case body(bytes: Int)
    /// After the whole request.
    case complete
  }

  /// The maximum number of bytes of a request body that are stored in ``LoopbackRequest/body``.
  public static let maxStoredBodySize = 16 << 20

  /// The root URL of the server, which consists of `http://127.0.0.1:` and the port.
  public let url: URL
  /// The port that the server listens on.
  public let port: UInt16
  private let routes = Routes()
  private let listener: Listener

  /// Creates a server and starts it.
  ///
  /// - Parameter port: The port to listen on, or 0 to let the system select a free port.
  /// - Throws: An error that names the failed socket call. A call fails, for example, if the port is in use.
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

  /// Registers a handler for requests with the given method and path.
  ///
  /// - Parameters:
  ///   - method: The HTTP method.
  ///   - path: The path as plain text, with or without a leading slash. A segment written as `{name}` matches any
  ///     single segment. The handler receives the value of the matched segment in ``LoopbackRequest/parameters``. The
  ///     path `*` matches every path that no other route matches.
  ///   - moment: The moment at which the server answers the request.
  ///   - handler: A function that creates the response. If several routes match a request, the route that was
  ///     registered last is used.
  public func on(
    _ method: HTTPMethod, _ path: String, at moment: Moment = .complete, handler: @escaping Handler
  ) {
    add(method, path, moment, .handler(handler))
  }

  /// Registers a handler for requests with the given path and any method.
  public func on(_ path: String, at moment: Moment = .complete, handler: @escaping Handler) {
    add(nil, path, moment, .handler(handler))
  }

  /// Registers fixed responses to requests with the given method and path. The responses are sent in order, and the
  /// last response is repeated.
  public func on(
    _ method: HTTPMethod, _ path: String, at moment: Moment = .complete, _ response: LoopbackResponse,
    _ next: LoopbackResponse...
  ) {
    add(method, path, moment, .responses([response] + next))
  }

  /// Registers fixed responses to requests with the given path and any method. The responses are sent in order, and the
  /// last response is repeated.
  public func on(
    _ path: String, at moment: Moment = .complete, _ response: LoopbackResponse, _ next: LoopbackResponse...
  ) {
    add(nil, path, moment, .responses([response] + next))
  }

  /// Breaks the next connections immediately after they are accepted. Each fault applies to one connection.
  public func breakNextConnections(_ faults: LoopbackResponse.Break...) {
    routes.addConnectionFaults(faults)
  }

  /// The requests received so far.
  public var requests: [LoopbackRequest] { routes.seen.value.requests }

  /// The number of connections accepted so far.
  public var acceptedConnections: Int { routes.seen.value.accepted }

  /// The number of open connections.
  public var openConnections: Int { routes.seen.value.open }

  /// Waits until the given number of requests have been received, the server is stopped or the task is cancelled, and
  /// returns the requests received so far.
  @discardableResult
  public func requests(atLeast count: Int) async -> [LoopbackRequest] {
    await routes.seen.wait { $0.requests.count >= count || $0.isStopped }.requests
  }

  /// Waits until no connection is open, or until the task is cancelled.
  public func allConnectionsClosed() async {
    await routes.seen.wait { $0.open == 0 }
  }

  /// Ends every connection, releases the port, and returns after all file descriptors have been closed. Calling this
  /// method again has no effect.
  public func stop() {
    listener.stop(routes)
  }

  private func add(_ method: HTTPMethod?, _ path: String, _ moment: Moment, _ content: Routes.Content) {
    let segments = path == "*" ? ["*"] : Routes.segments(of: path[...])
    routes.add(Routes.Route(method: method, segments: segments, moment: moment, content: content))
  }
}
