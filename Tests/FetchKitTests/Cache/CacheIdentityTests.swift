import FetchKit
import FetchKitTesting
import Foundation
import Testing

@Suite(.timeLimit(.minutes(10))) struct CacheIdentityTests {
  private let stub = StubTransport { request throws(TransportError) in
    .stub(
      headers: ["Cache-Control": "max-age=100", "Vary": "Accept, Authorization, Cookie"],
      body: Data((request.headers["Authorization"] ?? "none").utf8))
  }
  private let cache = HTTPCache()

  private func get(_ token: String?, _ identity: String?, accept: String? = nil) async throws -> String {
    let client = FetchClient {
      $0.transport = stub
      $0.cache = cache
    }
    var request = try "http://example.com/me".httpRequest()
    request.headers["Authorization"] = token
    request.headers["Accept"] = accept
    request.options.cacheIdentity = identity
    return try await client.fetch(request, .string)
  }

  @Test func `a stored response outlives a replaced token if the identity is the same`() async throws {
    #expect(try await get("t1", "emma") == "t1")
    #expect(try await get("t2", "emma") == "t1")
    #expect(stub.requests.count == 1)
    // The other fields that the response varies by still count.
    #expect(try await get("t3", "emma", accept: "text/html") == "t3")
  }

  @Test func `no identity ever receives the response of another one, or of a request without one`() async throws {
    #expect(try await get("t1", "emma") == "t1")
    for (token, identity) in [("t1", nil), ("t2", "jane"), ("t3", nil), (nil, nil), ("t4", ""), (nil, "")] {
      let expected = identity == "" ? "t4" : token ?? "none"
      #expect(try await get(token, identity) == expected)
    }
    // The text of a digest's source is no way into another one.
    #expect(try await get("t5", "authorization:t1\n") == "t5")
    #expect(try await get("t1", "emma") == "t1")
  }

  @Test func `an authenticator's apply function can set the identity`() async throws {
    let tokens = Authenticator<Int>(
      current: 1,
      apply: { token, request in
        request.headers["X-Token"] = "\(token)"
        request.options.cacheIdentity = "emma"
      }, refresh: { ($0 ?? 0) + 1 })
    let client = FetchClient {
      $0.transport = stub
      $0.cache = cache
      $0.interceptors = [tokens]
      $0.coalescesRequests = true
    }
    let sources = [try await client.fetch("http://example.com/x", .response).source]
    tokens.set(2)
    #expect(sources + [try await client.fetch("http://example.com/x", .response).source] == [.network, .fresh])
  }
}
