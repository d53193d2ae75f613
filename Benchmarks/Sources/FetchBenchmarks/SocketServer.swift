import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOWebSocket

/// The WebSocket server that every contender talks to: NIO's, with one thread, in a child process, so that the CPU time
/// of this process is the client's.
///
/// `/echo` returns each message, `/flood` answers a number with so many messages of 1 MB, and `/sink` swallows large
/// messages and answers a small one when all before it have come.
struct SocketServer {
  static let childArgument = "serve-sockets"
  static let messageSize = 1_000_000

  let root: URL
  /// The child ends when it can no longer read from us, however we ended.
  private let lifeline = Pipe()

  /// Started at first use, and kept.
  static let shared = Result { try SocketServer() }

  static func url(_ path: String) throws -> URL { try shared.get().root.appending(path: path) }

  private init() throws {
    let child = Process()
    let output = Pipe()
    child.executableURL = Bundle.main.executableURL
    child.arguments = [Self.childArgument]
    child.standardInput = lifeline
    child.standardOutput = output
    // Our end in the child's own hands would keep it waiting for ever.
    _ = fcntl(lifeline.fileHandleForWriting.fileDescriptor, F_SETFD, FD_CLOEXEC)
    try child.run()
    let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
    guard let port = UInt16(line.trimmingCharacters(in: .whitespacesAndNewlines)),
      let root = URL(string: "http://127.0.0.1:\(port)")
    else { throw CocoaError(.executableLoad) }
    self.root = root
  }

  /// What the child does: serves until its input ends.
  static func serve() async -> Never {
    let upgrader = NIOWebSocketServerUpgrader(
      shouldUpgrade: { channel, _ in channel.eventLoop.makeSucceededFuture(HTTPHeaders()) },
      upgradePipelineHandler: { channel, head in
        channel.eventLoop.makeCompletedFuture {
          let pipeline = channel.pipeline.syncOperations
          switch head.uri {
          case "/flood": try pipeline.addHandler(Flood())
          case "/sink": try pipeline.addHandler(Sink(), position: .first)
          default: try pipeline.addHandler(Echo())
          }
        }
      })
    NIOSingletons.groupLoopCountSuggestion = 1
    do {
      let server = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
        .serverChannelOption(.backlog, value: 4096)
        .childChannelInitializer { channel in
          channel.pipeline.configureHTTPServerPipeline(withServerUpgrade: ([upgrader], { _ in }))
        }
        .bind(host: "127.0.0.1", port: 0).get()
      print(server.localAddress?.port ?? 0)
      fflush(nil)
      while !FileHandle.standardInput.availableData.isEmpty {}
      exit(0)
    } catch {
      FileHandle.standardError.write(Data("\(error)\n".utf8))
      exit(1)
    }
  }
}

private final class Echo: ChannelInboundHandler {
  typealias InboundIn = WebSocketFrame
  typealias OutboundOut = WebSocketFrame

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let frame = Self.unwrapInboundIn(data)
    context.write(
      Self.wrapOutboundOut(WebSocketFrame(fin: true, opcode: frame.opcode, data: frame.unmaskedData)), promise: nil)
    if frame.opcode == .connectionClose { context.close(promise: nil) }
  }

  func channelReadComplete(context: ChannelHandlerContext) { context.flush() }
}

private final class Flood: ChannelInboundHandler {
  typealias InboundIn = WebSocketFrame
  typealias OutboundOut = WebSocketFrame

  private let message = ByteBuffer(repeating: 0x61, count: SocketServer.messageSize)

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let frame = Self.unwrapInboundIn(data)
    if frame.opcode == .connectionClose { return context.close(promise: nil) }
    for _ in 0..<(Int(String(buffer: frame.unmaskedData)) ?? 0) {
      context.write(Self.wrapOutboundOut(WebSocketFrame(fin: true, opcode: .binary, data: message)), promise: nil)
    }
    context.flush()
  }
}

/// In front of the decoder, which would collect and unmask: it is not the server that is measured.
private final class Sink: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  /// What is not read yet.
  private var bytes = ByteBuffer()
  /// What is missing of the current payload.
  private var missing = 0

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    var new = Self.unwrapInboundIn(data)
    skipPayload(of: &new)
    bytes.writeBuffer(&new)
    while let header = nextHeader() {
      missing = header.length
      skipPayload(of: &bytes)
      if header.opcode == .connectionClose { return context.close(promise: nil) }
      if header.opcode == .text {
        context.writeAndFlush(Self.wrapOutboundOut(ByteBuffer(bytes: [0x81, 0])), promise: nil)
      }
    }
    bytes.discardReadBytes()
  }

  private func skipPayload(of bytes: inout ByteBuffer) {
    let count = min(missing, bytes.readableBytes)
    bytes.moveReaderIndex(forwardBy: count)
    missing -= count
  }

  /// The next header, once it is complete. Sizes of two bytes do not occur.
  private func nextHeader() -> (opcode: WebSocketOpcode, length: Int)? {
    let start = bytes.readerIndex
    guard missing == 0, let first = bytes.getInteger(at: start, as: UInt8.self),
      let second = bytes.getInteger(at: start + 1, as: UInt8.self)
    else { return nil }
    let size = second & 127 == 127 ? 14 : 6
    guard bytes.readableBytes >= size, let opcode = WebSocketOpcode(encodedWebSocketOpcode: first & 15) else {
      return nil
    }
    let length = size == 14 ? bytes.getInteger(at: start + 2, as: UInt64.self) ?? 0 : UInt64(second & 127)
    bytes.moveReaderIndex(forwardBy: size)
    return (opcode, Int(length))
  }
}
