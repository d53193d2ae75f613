import FetchKit
import FetchKitTesting
import Foundation
import Testing

@Suite(.timeLimit(.minutes(10))) struct FetchStreamTests {
  let server: LoopbackServer

  init() throws {
    server = try LoopbackServer()
  }

  @Test func `a streamed body arrives in chunks after redirects and retries`() async throws {
    server.on("/from", .redirect(302, to: "/to"))
    server.on("/to", .status(503), LoopbackResponse(body: .repeated(Data(count: 1000), count: 100)).chunked())
    let client = FetchClient {
      $0.retry = .standard
      $0.random = { 0 }
    }
    let stream = try await client.stream(server.url.appending(path: "from"))
    #expect(stream.response.status == 200)
    #expect(stream.response.attempts.count == 2)
    #expect(stream.response.redirects.count == 1)
    var count = 0
    for try await chunk in stream { count += chunk.count }
    #expect(count == 100_000)
  }

  @Test func `a stream with an unsuccessful status fails before its first chunk, with the server's response`()
    async throws
  {
    server.on("/no", .status(404, "not here"))
    do throws(FetchError) {
      _ = try await FetchClient().stream(server.url.appending(path: "no"))
      Issue.record("the stream began")
    } catch {
      guard case .status(let failure, _) = error else {
        Issue.record("\(error)")
        return
      }
      #expect(String(decoding: failure.body, as: UTF8.self) == "not here")
    }
  }

  @Test(arguments: [(65_535, false), (65_536, false), (65_537, true), (200_000, true)])
  func `a stream's error body is limited to 64 KiB and is marked as truncated only if it was`(
    size: Int, isTruncated: Bool
  ) async throws {
    server.on("/no", LoopbackResponse(status: 500, body: .data(Data(count: size))).chunked(size: 10_000))
    let url = server.url.appending(path: "no")
    let client = FetchClient()
    for isStream in [true, false] {
      do throws(FetchError) {
        if isStream { _ = try await client.stream(url) } else { _ = try await client.fetch(url, .data) }
        Issue.record("the stream did not fail")
      } catch {
        guard case .status(let failure, _) = error else {
          Issue.record("\(error)")
          continue
        }
        #expect(failure.body.count == min(size, 65_536))
        #expect(failure.isBodyTruncated == isTruncated)
      }
    }
  }

  @Test func `a stream's stored error body does not retain the rest of the response`() async throws {
    let large = Data(count: 1 << 20)
    let client = FetchClient { $0.transport = StubTransport(status: 500, body: large) }
    do throws(FetchError) {
      try await client.fetch("http://example.com/", .void)
      Issue.record("the stream did not fail")
    } catch {
      guard case .status(let failure, _) = error else { throw error }
      func address(_ data: Data) -> UnsafeRawPointer? { data.withUnsafeBytes { $0.baseAddress } }
      #expect(failure.body.count == 65_536)
      #expect(address(failure.body) != address(large))
    }
  }

  @Test func `a connection lost during a stream is thrown by the iteration`() async throws {
    server.on("/cut", LoopbackResponse(body: .repeated(Data(count: 1000), count: 100)).cut(after: .body(bytes: 50_000)))
    let stream = try await FetchClient().stream(server.url.appending(path: "cut"))
    var count = 0
    do throws(FetchError) {
      for try await chunk in stream { count += chunk.count }
      Issue.record("the stream ended without an error")
    } catch {
      guard case .connection(.lost, _) = error else {
        Issue.record("\(error)")
        return
      }
    }
    #expect(count == 50_000)
  }
}
