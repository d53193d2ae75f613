#if os(Linux)
import Dispatch
import FetchKitTesting
import Foundation
import Testing

@testable import FetchKit

/// What happens when tasks of URLSession are suspended. Only the decision to do so can be tested on Linux: there a
/// suspended task starts over.
@Suite(.timeLimit(.minutes(2))) struct URLSessionPauseTests {
  private static let size = 1 << 20

  /// Sends the first MiB of a larger body on each connection and waits for its end. The bytes are those of the number
  /// of the connection.
  private static func peer(_ closed: AsyncStream<UInt8>.Continuation) throws -> RawPeer {
    let count = Lock<UInt8>(0)
    return try RawPeer { connection in
      guard connection.readHead() != nil else { return }
      let number = count.withLock { count in
        count += 1
        return count
      }
      connection.write("HTTP/1.1 200 OK\r\nContent-Length: \(size * 2)\r\n\r\n")
      _ = [UInt8](repeating: number, count: size).withUnsafeBytes { connection.write($0) }
      connection.waitForClose()
      closed.yield(number)
    }
  }

  @Test func `a task is suspended when its reader is slow, and a task that starts over delivers no byte twice`()
    async throws
  {
    let (closed, report) = AsyncStream<UInt8>.makeStream()
    let peer = try Self.peer(report)
    var configuration = URLSessionTransport.Configuration()
    configuration.streamBuffer = 64 << 10
    let transport = URLSessionTransport(configuration, mostWaitingBytes: 16 << 20, canPause: true)
    // Longer than the idle timeout, which a suspended task does not have.
    var request = TransportRequest(.get, try peer.url(), delivery: .stream)
    request.timeouts = Timeouts(connect: nil, idle: .seconds(30), total: .seconds(60))
    var body = try await transport.send(request).body.makeAsyncIterator()
    // Suspending closes the connection, which is how the peer sees it.
    #expect(await closed.first { _ in true } == 1)
    var bytes = Data()
    let error = await #expect(throws: TransportError.self) {
      while let chunk = try await body.next() { bytes += chunk }
    }
    #expect(error?.word == "lost")
    #expect(bytes.count <= Self.size && bytes.allSatisfy { $0 == 1 })
  }

  @Test func `tasks are not suspended on Linux`() {
    #expect(!URLSessionCore.canPause)
    var configuration = URLSessionTransport.Configuration()
    configuration.streamBuffer = 1
    #expect(URLSessionCore(configuration, mostWaitingBytes: 1).pauseAt == .max)
    #expect(URLSessionCore(configuration, mostWaitingBytes: 1, canPause: true).pauseAt == 1)
  }
}
#endif
