import FetchKitTesting
import Foundation
import Testing

@testable import FetchKit

@Suite(.timeLimit(.minutes(10))) struct DefaultFieldsTests {
  let server: LoopbackServer

  init() throws {
    server = try LoopbackServer()
    server.on("/", .text("x"))
  }

  private func sent(
    _ kind: TransportUnderTest, headers: HTTPHeaders = [:],
    _ change: (inout FetchClient.Configuration) -> Void = { _ in }
  ) async throws -> HTTPHeaders {
    let client = FetchClient {
      $0.transport = kind.transport
      change(&$0)
    }
    try await client.fetch(HTTPRequest(.get, server.url, headers: headers), .void)
    return try #require(server.requests.last).headers
  }

  @Test(arguments: TransportUnderTest.allCases)
  func `every transport sends the same User-Agent and Accept, and each of them once`(
    kind: TransportUnderTest
  ) async throws {
    let fields = try await sent(kind)
    let agent = try #require(fields["User-Agent"])
    #expect(agent.wholeMatch(of: /Larder\/\d+\.\d+\.\d+ \(\w+\)/) != nil)
    #expect(fields.values(for: "User-Agent").count == 1)
    #expect(fields.values(for: "Accept") == ["*/*"])
    let stream = try await FetchClient { $0.transport = kind.transport }.stream(server.url)
    for try await _ in stream {}
    let streamed = try #require(server.requests.last).headers
    #expect(streamed["User-Agent"] == agent && streamed.values(for: "Accept") == ["*/*"])
  }

  @Test(arguments: TransportUnderTest.allCases)
  func `the request's fields win over the client's fields, and these over the defaults`(
    kind: TransportUnderTest
  ) async throws {
    let own = try await sent(kind, headers: ["user-agent": "mine", "accept": "text/html"]) {
      $0.headers = ["User-Agent": "theirs", "Accept": "text/plain"]
    }
    #expect(own.values(for: "User-Agent") == ["mine"] && own.values(for: "Accept") == ["text/html"])
    let client = try await sent(kind) {
      $0.headers = ["user-agent": "theirs", "Accept": "text/plain"]
      $0.userAgent = "unused"
    }
    #expect(client.values(for: "User-Agent") == ["theirs"] && client.values(for: "Accept") == ["text/plain"])
    #expect(try await sent(kind) { $0.userAgent = "Pantry/2 (https://pantry.example)" }["User-Agent"]?.count == 33)
  }

  @Test func `a client without a User-Agent sends none`() async throws {
    let stub = StubTransport()
    try await FetchClient {
      $0.transport = stub
      $0.userAgent = nil
    }.fetch("http://example.com/", .void)
    #expect(stub.requests[0].headers["User-Agent"] == nil)
  }

  @Test func `the version that servers see is the changelog's`() throws {
    let file = URL(filePath: #filePath).appending(path: "../../../../CHANGELOG.md").standardized
    let changes = try String(contentsOf: file, encoding: .utf8)
    let version = try #require(changes.firstMatch(of: /## \[(\d+\.\d+\.\d+)\]|first release, (\d+\.\d+\.\d+)/))
    #expect((version.output.1 ?? version.output.2).map(String.init) == Library.version)
  }
}
