import FetchKit
import FetchKitTesting
import Foundation
import Testing

/// Requests that are in flight while the device sleeps. The clock moves at once by the length of the suspension, as the
/// client's clock does when the device wakes up.
@Suite(.timeLimit(.minutes(2))) struct DeviceSuspensionTests {
  private let clock = ManualClock()

  /// Fetches while the device is suspended for a time. The first response would arrive after `delay`; further ones
  /// arrive at once.
  private func fetch(
    _ method: HTTPMethod = .get, delay: Duration = .seconds(3600), suspendedFor suspension: Duration
  ) async throws -> (Result<String, FetchError>, [TransportRequest]) {
    let sent = Lock(0)
    let stub = StubTransport(
      simulating: { _ in
        let isFirst = sent.withLock { sent in
          sent += 1
          return sent == 1
        }
        return isFirst ? .text("first").delayed(by: delay) : .text("second")
      }, clock: clock)
    let client = FetchClient { [clock] in
      $0.transport = stub
      $0.clock = clock
      $0.random = { 0 }
      $0.retry = .standard
    }
    let url = try #require(URL(string: "http://example.com/"))
    let task = Task { () async -> Result<String, FetchError> in
      do throws(FetchError) {
        return .success(try await client.fetch(HTTPRequest(method, url), .string))
      } catch {
        return .failure(error)
      }
    }
    await clock.sleepers(atLeast: 1)
    clock.advance(by: suspension)
    return (await task.value, stub.requests)
  }

  private static func timeout(_ result: Result<String, FetchError>) -> TimeoutPhase? {
    guard case .failure(.timeout(let phase, _)) = result else { return nil }
    return phase
  }

  @Test func `a request across a suspension longer than its idle timeout is retried as its policy says`() async throws {
    let (result, requests) = try await fetch(suspendedFor: .seconds(120))
    #expect(try result.get() == "second")
    // The second attempt has what the suspension left of the total timeout.
    #expect(requests.map(\.timeouts.total) == [.seconds(300), .seconds(180)])
  }

  @Test func `a request that must not be repeated ends with a timeout after a suspension`() async throws {
    let (result, requests) = try await fetch(.post, suspendedFor: .seconds(120))
    #expect(Self.timeout(result) == .idle && requests.count == 1)
  }

  @Test func `a request across a suspension longer than its total timeout ends with a timeout`() async throws {
    let (result, requests) = try await fetch(suspendedFor: .seconds(600))
    #expect(Self.timeout(result) != nil && requests.count == 1)
  }

  @Test func `a request across a short suspension continues`() async throws {
    let (result, requests) = try await fetch(delay: .seconds(20), suspendedFor: .seconds(20))
    #expect(try result.get() == "first")
    #expect(requests.count == 1)
  }
}
