import Foundation
import Testing

@testable import FetchKit

@Suite(.timeLimit(.minutes(10))) struct BodyChannelTests {
  private let demands = Lock(0)
  private let cancels = Lock(0)

  private func channel(highWater: Int = 10) -> BodyChannel {
    let (demands, cancels) = (demands, cancels)
    return BodyChannel(
      highWater: highWater, onDemand: { demands.withLock { $0 += 1 } }, onCancel: { cancels.withLock { $0 += 1 } })
  }

  @Test func `buffered bytes are read immediately, then the end`() async throws {
    let channel = channel()
    #expect(channel.offer(Data("ab".utf8)))
    #expect(channel.offer(Data("cd".utf8)))
    channel.finish(nil)
    #expect(try await channel.next() == Data("abcd".utf8))
    #expect(try await channel.next() == nil)
    #expect(try await channel.next() == nil)
  }

  @Test func `a full body channel refuses bytes and requests more once it is read`() async throws {
    let channel = channel(highWater: 4)
    #expect(channel.offer(Data("abcd".utf8)))
    #expect(!channel.offer(Data("e".utf8)))
    #expect(!channel.offer(Data("e".utf8)))
    #expect(demands.withLock { $0 } == 0)
    #expect(try await channel.next() == Data("abcd".utf8))
    #expect(demands.withLock { $0 } == 1)
    #expect(channel.offer(Data("e".utf8)))
    #expect(try await channel.next() == Data("e".utf8))
    #expect(demands.withLock { $0 } == 1)
  }

  @Test func `a body's error is thrown after the bytes received before it`() async throws {
    let channel = channel()
    #expect(channel.offer(Data("ab".utf8)))
    channel.finish(.timeout(.idle))
    channel.finish(nil)
    #expect(try await channel.next() == Data("ab".utf8))
    await #expect(throws: TransportError.self) { try await channel.next() }
  }

  @Test func `cancelling a waiting reader notifies the transfer once`() async {
    let channel = channel()
    let reader = Task { try await channel.next() }
    reader.cancel()
    await #expect(throws: TransportError.self) { try await reader.value }
    channel.cancel()
    #expect(cancels.withLock { $0 } == 1)
    await #expect(throws: TransportError.self) { try await channel.next() }
    #expect(channel.offer(Data("late".utf8)))
  }

  @Test func `dropping an unread body notifies the transfer, dropping a read one does not`() async throws {
    do {
      let body = ResponseBody(channel())
      _ = body.makeAsyncIterator()
    }
    #expect(cancels.withLock { $0 } == 1)
    let channel = channel()
    channel.finish(nil)
    for try await _ in ResponseBody(channel) {}
    #expect(cancels.withLock { $0 } == 1)
  }

  @Test func `a million bytes pass through a body channel in order at any pace`() async throws {
    let channel = channel(highWater: 3000)
    let writer = Task {
      var sent = 0
      while sent < 1_000_000, !Task.isCancelled {
        let piece = Data((sent..<min(sent + 997, 1_000_000)).map { UInt8(truncatingIfNeeded: $0) })
        if channel.offer(piece) { sent += piece.count } else { await Task.yield() }
      }
      channel.finish(nil)
    }
    defer { writer.cancel() }
    var expected = 0
    var isInOrder = true
    for try await piece in ResponseBody(channel) {
      for byte in piece {
        isInOrder = isInOrder && byte == UInt8(truncatingIfNeeded: expected)
        expected += 1
      }
    }
    await writer.value
    #expect(isInOrder)
    #expect(expected == 1_000_000)
  }
}
