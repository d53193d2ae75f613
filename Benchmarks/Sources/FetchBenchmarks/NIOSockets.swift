import BenchmarkSupport
import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOWebSocket

/// NIO's WebSocket client as NIO's documentation shows it, on the shared event loops, with TCP_NODELAY as is its
/// default.
enum NIOSockets {
  fileprivate enum Upgrade<Opened: Sendable>: Sendable {
    case done(Opened)
    case refused
  }

  fileprivate static func open<Opened: Sendable>(
    _ prepare: @escaping @Sendable (any Channel) throws -> Opened
  ) async throws -> Opened {
    let url = try SocketServer.url("/echo")
    let upgrade = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
      .connect(host: "127.0.0.1", port: url.port ?? 0) { channel in
        channel.eventLoop.makeCompletedFuture {
          let upgrader = NIOTypedWebSocketClientUpgrader<Upgrade<Opened>> { channel, _ in
            channel.eventLoop.makeCompletedFuture { .done(try prepare(channel)) }
          }
          let head = HTTPRequestHead(version: .http1_1, method: .GET, uri: url.path, headers: ["Host": "localhost"])
          let upgrade = NIOTypedHTTPClientUpgradeConfiguration(
            upgradeRequestHead: head, upgraders: [upgrader],
            notUpgradingCompletionHandler: { $0.eventLoop.makeSucceededFuture(.refused) })
          return try channel.pipeline.syncOperations.configureUpgradableHTTPClientPipeline(
            configuration: .init(upgradeConfiguration: upgrade))
        }
      }
    guard case .done(let opened) = try await upgrade.get() else { throw WrongResult("the upgrade is refused") }
    return opened
  }

  fileprivate static func message() -> WebSocketFrame {
    WebSocketFrame(
      fin: true, opcode: .binary, maskKey: .random(), data: ByteBuffer(repeating: 0, count: Sockets.smallSize))
  }

  fileprivate static func isAnswer(_ frame: WebSocketFrame) -> Bool {
    frame.opcode == .binary && frame.data.readableBytes == Sockets.smallSize
  }
}

/// Round trips within a ChannelHandler, which never leave the event loop.
final class NIOHandlerSockets: Sendable {
  private let channels: [any Channel]

  init(_ count: Int) async throws {
    var channels: [any Channel] = []
    for _ in 0..<count {
      try await channels.append(
        NIOSockets.open { channel in
          try channel.pipeline.syncOperations.addHandler(RoundTrips())
          return channel
        })
    }
    self.channels = channels
  }

  func roundTrips(_ count: Int) async throws {
    let ends = channels.map { channel in
      channel.eventLoop.flatSubmit {
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.handler(type: RoundTrips.self).start(count)
        }.flatMap { $0 }
      }
    }
    for end in ends { try await end.get() }
  }
}

private final class RoundTrips: ChannelInboundHandler {
  typealias InboundIn = WebSocketFrame
  typealias OutboundOut = WebSocketFrame

  private var context: ChannelHandlerContext?
  private var left = 0
  private var end: EventLoopPromise<Void>?

  func handlerAdded(context: ChannelHandlerContext) { self.context = context }
  func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

  func start(_ count: Int) throws -> EventLoopFuture<Void> {
    guard let context else { throw WrongResult("the connection is lost") }
    let end = context.eventLoop.makePromise(of: Void.self)
    (left, self.end) = (count, end)
    send(context)
    return end.futureResult
  }

  private func send(_ context: ChannelHandlerContext) {
    context.writeAndFlush(Self.wrapOutboundOut(NIOSockets.message()), promise: nil)
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard NIOSockets.isAnswer(Self.unwrapInboundIn(data)) else { return fail() }
    left -= 1
    if left > 0 { send(context) } else { end?.succeed() }
  }

  func channelInactive(context: ChannelHandlerContext) { fail() }

  private func fail() { end?.fail(WrongResult("no answer")) }
}

/// Round trips in tasks, by NIOAsyncChannel. The channels are open while a closure runs.
struct NIOAsyncSockets: Sendable {
  typealias Inbound = NIOAsyncChannelInboundStream<WebSocketFrame>
  typealias Outbound = NIOAsyncChannelOutboundWriter<WebSocketFrame>

  private var open: [(inbound: Inbound, outbound: Outbound)] = []

  static func with(
    _ count: Int, _ body: (NIOAsyncSockets) async throws -> Double
  ) async throws -> Double {
    var sockets = NIOAsyncSockets()
    return try await sockets.add(count, body)
  }

  private mutating func add(_ count: Int, _ body: (NIOAsyncSockets) async throws -> Double) async throws -> Double {
    guard count > 0 else { return try await body(self) }
    let channel = try await NIOSockets.open {
      try NIOAsyncChannel<WebSocketFrame, WebSocketFrame>(wrappingChannelSynchronously: $0)
    }
    return try await channel.executeThenClose { inbound, outbound in
      open.append((inbound, outbound))
      return try await add(count - 1, body)
    }
  }

  func roundTrips(_ count: Int) async throws {
    try await withThrowingTaskGroup { group in
      for (inbound, outbound) in open {
        group.addTask {
          var frames = inbound.makeAsyncIterator()
          for _ in 0..<count {
            try await outbound.write(NIOSockets.message())
            guard let frame = try await frames.next(), NIOSockets.isAnswer(frame) else {
              throw WrongResult("no answer")
            }
          }
        }
      }
      try await group.waitForAll()
    }
  }
}
