import BareCurl
import BenchmarkSupport
import FetchKit
import Foundation

/// WebSockets, pings switched off: round trips of small messages, large messages, and many sockets of which few are
/// active.
enum Sockets {
  static let smallSize = 100
}

extension Benchmark {
  static var sockets: [Benchmark] {
    [1, 64].flatMap { count in
      let ours = Kept { try await OurSockets(count) }
      let handlers = Kept { try await NIOHandlerSockets(count) }
      return [
        roundTrips(count, "", goal: 1.5, ours, handlers) { body in try await asyncMilliseconds(body) * 1000 },
        roundTrips(count, "CPU of ", goal: 2, ours, handlers) { body in
          let before = ThisProcess.cpuMicroseconds
          try await body()
          return ThisProcess.cpuMicroseconds - before
        },
      ]
    } + [receiving, sending, memory, active]
  }

  private static var memory: Benchmark {
    Benchmark("resident memory of 1 000 idle sockets", unit: "MB", must: 30, goal: 15) {
      var sockets: OurSockets?
      let growth = try await ThisProcess.memoryGrowth { sockets = try await OurSockets(1000) }
      await sockets?.shutdown()
      return growth
    }
  }

  /// The target is for NIO's asynchronous channels, which deliver to a task, as ours do and as NIO's own client does.
  /// Its handlers run on the event loop, where a caller cannot wait.
  private static func roundTrips(
    _ count: Int, _ prefix: String, goal: Double, _ ours: Kept<OurSockets>, _ handlers: Kept<NIOHandlerSockets>,
    _ measure: @escaping (() async throws -> Void) async throws -> Double
  ) -> Benchmark {
    let each = count == 1 ? 5000 : 400
    let all = Double(count * each)
    return Benchmark(
      prefix + "socket round trips of 100 bytes, " + (count == 1 ? "1 socket" : "\(count) sockets"),
      unit: "µs/round trip",
      ours: {
        let sockets = try await ours.value()
        return try await measure { try await sockets.roundTrips(each) } / all
      },
      peers: [
        Peer("NIO's ChannelHandler") {
          let sockets = try await handlers.value()
          return try await measure { try await sockets.roundTrips(each) } / all
        },
        Peer("NIOAsyncChannel", must: 1, goal: goal) {
          try await NIOAsyncSockets.with(count) { sockets in
            try await measure { try await sockets.roundTrips(each) } / all
          }
        },
      ])
  }

  private static let messages = 400

  private static var receiving: Benchmark {
    let ours = Kept { try await OurSockets(1, path: "/flood") }
    let bare = Kept { try BareSocketPeer(path: "/flood") }
    return large(
      "received", ours: { try await ours.value().receive(messages) }, bare: { try await bare.value().receive(messages) }
    )
  }

  private static var sending: Benchmark {
    let size = SocketServer.messageSize
    let ours = Kept { try await OurSockets(1, path: "/sink") }
    let bare = Kept { try BareSocketPeer(path: "/sink") }
    return large(
      "sent",
      ours: {
        try await ours.value().send(messages, size: size)
        return messages * size
      }, bare: { try await bare.value().send(messages, size: size) })
  }

  private static func large(
    _ verb: String, ours: @escaping () async throws -> Int, bare: @escaping () async throws -> Int
  ) -> Benchmark {
    func time(_ body: () async throws -> Int) async throws -> Double {
      var bytes = 0
      let time = try await asyncMilliseconds { bytes = try await body() }
      guard bytes == messages * SocketServer.messageSize else { throw WrongResult("\(bytes) bytes") }
      return time * 1000 / Double(messages)
    }
    return Benchmark(
      "socket messages of 1 MB \(verb)", unit: "µs/message", ours: { try await time(ours) },
      peers: [Peer("bare libcurl", must: 0.5, goal: 0.8) { try await time(bare) }])
  }

  private static var active: Benchmark {
    let many = Kept { try await OurSockets(1000) }
    let few = Kept { try await OurSockets(64) }
    func time(_ sockets: OurSockets) async throws -> Double {
      try await asyncMilliseconds { try await sockets.roundTrips(5000, active: 1) } / 5
    }
    return Benchmark(
      "socket round trips of 1 active among 1 000 sockets", unit: "µs/round trip",
      ours: { try await time(many.value()) },
      peers: [Peer("ours, among 64", must: 0.8, goal: 0.95) { try await time(few.value()) }])
  }
}

/// Made at first use, and kept from one round to the next.
private final class Kept<Value> {
  private let make: () async throws -> Value
  private var kept: Value?

  init(_ make: @escaping () async throws -> Value) { self.make = make }

  func value() async throws -> Value {
    if let kept { return kept }
    let new = try await make()
    kept = new
    return new
  }
}

private final class BareSocketPeer {
  private let socket: OpaquePointer

  init(path: String) throws {
    guard let socket = bare_socket_open(try SocketServer.url("").absoluteString, path) else {
      throw WrongResult("the connection cannot be opened")
    }
    self.socket = socket
  }

  func receive(_ count: Int) -> Int { Int(bare_socket_receive(socket, Int32(count))) }
  func send(_ count: Int, size: Int) -> Int { Int(bare_socket_send(socket, Int32(count), Int32(size))) }

  deinit { bare_socket_close(socket) }
}
