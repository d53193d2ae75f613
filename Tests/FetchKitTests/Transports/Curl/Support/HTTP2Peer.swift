#if os(Linux)
import Foundation
import Glibc

import FetchKit

/// A server that speaks HTTP/2 over TLS frame by frame, as scripted by a test.
///
/// nginx provides the TLS (``NginxServer/hasStreams``). Header fields are not read: a request is its stream and the
/// bytes of its body. Settings and pings are answered automatically, everything else is up to the script. A client that
/// does not offer HTTP/2 gets 200 and `HTTP/1.1`.
final class HTTP2Peer: Sendable {
  enum Event: Sendable {
    case connected(HTTP2Connection)
    /// A request with a body has begun.
    case upload(HTTP2Connection, stream: UInt32)
    /// A request has ended.
    case request(HTTP2Request)
    /// The client has read everything that was sent on the connection before a ping.
    case pong(HTTP2Connection)
    /// A request arrived over HTTP/1.1, with this head.
    case oldRequest(String)
    /// Either side has closed the connection.
    case closed(HTTP2Connection)
  }

  private struct State {
    var log: [Event] = []
    var listeners: [AsyncStream<Event>.Continuation] = []
    var connections = 0
  }

  private let state: Lock<State>
  private let server: RawPeer
  private let relay: TLSRelay

  /// Answers each request with `answer`, on the connection's thread. The answer may also be sent later.
  init(
    settings: [HTTP2Setting] = [], answer: @escaping @Sendable (HTTP2Request) -> Void = { $0.respond("") }
  ) throws {
    let state = Lock(State())
    self.state = state
    let server = try RawPeer { raw in
      let number = state.withLock { state in
        state.connections += 1
        return state.connections
      }
      let connection = HTTP2Connection(number, raw)
      connection.serve(settings) { event in
        state.withLock { state in
          state.log.append(event)
          for listener in state.listeners { listener.yield(event) }
        }
        if case .request(let request) = event { answer(request) }
      }
    }
    self.server = server
    relay = try TLSRelay(to: server.port)
  }

  /// A transport that trusts the peers and has no earlier connections.
  static func transport() throws -> CurlTransport {
    let authority = try NginxServer.shared.get().authority
    return try CurlTransport {
      $0.proxy = .none
      $0.certificateAuthorities = .only(.file(authority))
    }
  }

  func url(_ path: String = "/") throws -> URL { try relay.url(path) }

  /// All events so far and to come.
  private var events: AsyncStream<Event> {
    let (events, listener) = AsyncStream.makeStream(of: Event.self)
    state.withLock { state in
      for event in state.log { listener.yield(event) }
      state.listeners.append(listener)
    }
    return events
  }

  /// Waits for the first event, past ones included, for which `find` returns a value.
  func first<Found>(_ find: (Event) -> Found?) async throws -> Found {
    for await event in events {
      if let found = find(event) { return found }
    }
    throw CancellationError()
  }

  /// Waits for the request of that number, counted from 1.
  func request(_ number: Int) async throws -> HTTP2Request {
    var count = 0
    return try await first {
      guard case .request(let request) = $0 else { return nil }
      count += 1
      return count == number ? request : nil
    }
  }

  /// Waits until the client has answered a ping.
  func pong() async throws {
    try await first { if case .pong = $0 { () } else { nil } }
  }

  /// Waits until the connection of that number is closed.
  func end(of number: Int) async throws {
    try await first { if case .closed(let connection) = $0, connection.number == number { () } else { nil } }
  }

  /// The bodies of all requests so far.
  var bodies: [String] {
    state.withLock(\.log).compactMap {
      if case .request(let request) = $0 { String(decoding: request.body, as: UTF8.self) } else { nil }
    }
  }

  /// How many connections there were.
  var connections: Int { state.withLock(\.connections) }

  var hasClosedAll: Bool {
    let state = state.withLock { ($0.log, $0.connections) }
    return state.0.count { if case .closed = $0 { true } else { false } } == state.1
  }

  /// Resets all connections, without a TLS close message.
  func cut() { relay.cut(resets: true) }
}

/// A request that an ``HTTP2Peer`` has read to its end.
struct HTTP2Request: Sendable {
  let connection: HTTP2Connection
  let stream: UInt32
  let body: [UInt8]

  /// Status 200.
  func respond(_ text: String) { connection.respond(text, on: stream) }

  func reset(_ error: HTTP2Error) { connection.reset(stream, error) }
}
#endif
