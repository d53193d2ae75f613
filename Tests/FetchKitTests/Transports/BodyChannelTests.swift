import Foundation
import Testing

@testable import FetchKit

@Suite(.timeLimit(.minutes(10))) struct BodyChannelTests {
  private let flows = Lock(0)
  private let cancels = Lock(0)

  private func channel(pauseAt: Int = .max, highWater: Int = 10) -> BodyChannel {
    let (flows, cancels) = (flows, cancels)
    return BodyChannel(
      pauseAt: pauseAt, highWater: highWater, onFlow: { flows.withLock { $0 += 1 } },
      onCancel: { cancels.withLock { $0 += 1 } })
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

  @Test func `a full body channel refuses bytes until it is read`() async throws {
    let channel = channel(highWater: 4)
    #expect(channel.offer(Data("abcd".utf8)))
    #expect(flows.withLock { $0 } == 0)
    #expect(!channel.offer(Data("e".utf8)))
    #expect(!channel.offer(Data("e".utf8)))
    #expect(channel.isHeldBack && flows.withLock { $0 } == 1)
    #expect(try await channel.next() == Data("abcd".utf8))
    #expect(!channel.isHeldBack && flows.withLock { $0 } == 2)
    #expect(channel.offer(Data("e".utf8)))
    #expect(try await channel.next() == Data("e".utf8))
    #expect(flows.withLock { $0 } == 2)
  }

  @Test func `a body channel holds the sender back from its mark until all bytes are read, and still accepts them`()
    async throws
  {
    let channel = channel(pauseAt: 4, highWater: 100)
    #expect(channel.offer(Data("abc".utf8)))
    #expect(!channel.isHeldBack)
    for _ in 0..<3 {
      #expect(channel.offer(Data("defg".utf8)))
      #expect(channel.isHeldBack && flows.withLock { $0 } == 1)
    }
    #expect(try await channel.next()?.count == 15)
    #expect(!channel.isHeldBack && flows.withLock { $0 } == 2)
    #expect(channel.offer(Data("abc".utf8)))
    #expect(!channel.isHeldBack)
    #expect(channel.offer(Data("d".utf8)))
    #expect(channel.isHeldBack && flows.withLock { $0 } == 3)
  }

  @Test func `a body channel holds no one back while its reader waits, after its end, or after a cancel`() async throws
  {
    let waiting = channel(pauseAt: 1)
    let reader = Task { try await waiting.next() }
    // Whether the reader waits already or not: it takes the bytes, and then nothing is held back.
    #expect(waiting.offer(Data("ab".utf8)))
    #expect(try await reader.value == Data("ab".utf8))
    #expect(!waiting.isHeldBack)
    let finished = channel(pauseAt: 1)
    #expect(finished.offer(Data("ab".utf8)))
    finished.finish(nil)
    #expect(!finished.isHeldBack)
    let cancelled = channel(pauseAt: 1)
    #expect(cancelled.offer(Data("ab".utf8)))
    cancelled.cancel()
    #expect(!cancelled.isHeldBack)
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
