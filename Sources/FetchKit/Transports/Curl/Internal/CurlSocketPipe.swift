#if canImport(CLarderCurl)
internal import Foundation

/// The bytes of a ``CurlSocket``, for any task. It keeps the transport, and with it the connections, while it exists.
final class CurlSocketPipe: SocketPipe {
  private let socket: CurlSocket
  private let channel: BodyChannel
  private let loop: CurlLoop
  private let transport: CurlTransport
  private let limit: Int
  /// How many bytes are at most sent by the writer itself. Encrypting more would take long.
  private static let small = 16 << 10

  /// - Parameter limit: How many bytes may wait to be sent.
  init(_ socket: CurlSocket, _ loop: CurlLoop, _ transport: CurlTransport, limit: Int) {
    self.socket = socket
    self.loop = loop
    self.transport = transport
    self.limit = limit
    channel = BodyChannel(
      highWater: loop.settings.streamBuffer, onFlow: { loop.post(.flow(socket)) }, onCancel: { loop.post(.end(socket)) }
    )
    // Nothing else knows the socket yet.
    socket.incoming = channel
  }

  deinit { loop.post(.end(socket)) }

  /// Connects to the server.
  func open(within timeout: Duration?, _ time: TimeSource) async throws(TransportError) {
    let socket = socket
    loop.post(.open(socket))
    let error = await socket.opened.take(within: timeout, time) { [loop] end in
      socket.opened.set(end == .timeout ? .timeout(.connect) : .cancelled)
      loop.post(.end(socket))
    }
    if let error { throw error }
  }

  func read() async throws(TransportError) -> Data? { try await channel.next() }

  func write(_ bytes: Data) {
    let (mustSend, isSmall) = socket.outgoing.change { outgoing in
      guard !outgoing.hasEnded else { return (false, false) }
      outgoing.bytes.append(contentsOf: bytes)
      outgoing.count += bytes.count
      defer { outgoing.isScheduled = true }
      // As long as there is room, no one waits for it whom `flow` would have to resume under the caller's locks.
      return (!outgoing.isScheduled, outgoing.count < min(limit, Self.small))
    }
    guard mustSend else { return }
    isSmall ? loop.flow(socket) : loop.post(.flow(socket))
  }

  var executor: (any TaskExecutor)? { loop }

  var hasRoom: Bool { socket.outgoing.change { $0.count < limit } }
  var isDrained: Bool { socket.outgoing.change { $0.count == 0 } }
  var sentCount: Int { socket.outgoing.change(\.sent) }

  func waitForRoom() async {
    await socket.outgoing.wait { [limit] in $0.count < limit || $0.hasEnded }
  }

  func close(isOrderly: Bool) {
    guard isOrderly else { return loop.post(.end(socket)) }
    socket.outgoing.change { $0.isFinishing = true }
    loop.post(.flow(socket))
  }
}
#endif
