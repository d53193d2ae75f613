import FetchKit
import FetchKitTesting
import Foundation
import Testing

/// RFC 9110 §13 and §14, as far as the server implements them.
@Suite(.timeLimit(.minutes(10))) struct ResourceTests {
  private let server: LoopbackServer
  private let client = FetchClient { $0.acceptableStatusCodes = 200..<600 }

  init() throws {
    server = try LoopbackServer()
    server.serve(Data("0123456789".utf8), at: "/file", etag: "\"v1\"")
  }

  private func get(_ headers: HTTPHeaders) async throws -> FetchResponse {
    try await client.fetch(HTTPRequest(.get, server.url.appending(path: "file"), headers: headers), .response)
  }

  @Test(arguments: [
    ("bytes=0-3", 206, "0123", "bytes 0-3/10"), ("bytes=4-", 206, "456789", "bytes 4-9/10"),
    ("bytes=-3", 206, "789", "bytes 7-9/10"), ("bytes=0-0", 206, "0", "bytes 0-0/10"),
    ("bytes=9-", 206, "9", "bytes 9-9/10"), ("bytes=5-100", 206, "56789", "bytes 5-9/10"),
    ("bytes=-100", 206, "0123456789", "bytes 0-9/10"), ("bytes=10-", 416, "", "bytes */10"),
    ("bytes=-0", 416, "", "bytes */10"), ("bytes=5-4", 200, "0123456789", nil), ("bytes=-", 200, "0123456789", nil),
    ("bytes=0-1,4-5", 200, "0123456789", nil), ("lines=0-1", 200, "0123456789", nil),
    ("bytes=a-b", 200, "0123456789", nil), ("bytes=0-9223372036854775807", 206, "0123456789", "bytes 0-9/10"),
  ])
  func `a resource answers Range requests as RFC 9110 §14 specifies`(
    range: String, status: Int, body: String, contentRange: String?
  ) async throws {
    let response = try await get(["Range": range])
    #expect(response.status == status)
    #expect(String(decoding: response.body, as: UTF8.self) == body)
    #expect(response.headers["Content-Range"] == contentRange)
    #expect(response.headers["ETag"] == "\"v1\"")
  }

  @Test func `a resource answers If-Range with a range only if the validator matches`() async throws {
    #expect(try await get(["Range": "bytes=4-", "If-Range": "\"v1\""]).status == 206)
    #expect(try await get(["Range": "bytes=4-", "If-Range": "\"v0\""]).status == 200)
  }

  @Test(arguments: [
    ("\"v1\"", 304), ("\"v0\"", 200), ("\"v0\", \"v1\"", 304), ("W/\"v1\"", 304), ("*", 304), ("", 200),
  ])
  func `a resource whose tag is in If-None-Match is answered with a 304`(field: String, status: Int) async throws {
    let response = try await get(["If-None-Match": field])
    #expect(response.status == status)
    #expect(response.body.isEmpty == (status == 304))
  }

  @Test func `a served resource's response can be modified`() async throws {
    server.serve(Data(count: 100), at: "/bad") { request, response in
      request.headers["Range"] == nil ? response.cut(after: .body(bytes: 40)) : response
    }
    let url = server.url.appending(path: "bad")
    await #expect(throws: FetchError.self) { try await client.fetch(url, .void) }
    let rest = try await client.fetch(HTTPRequest(.get, url, headers: ["Range": "bytes=40-"]), .data)
    #expect(rest.count == 60)
  }
}
