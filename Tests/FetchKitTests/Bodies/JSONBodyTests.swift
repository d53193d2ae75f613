import Decoding
import FetchKit
import FetchKitTesting
import Foundation
import Testing

@Suite struct JSONBodyTests {
  @Test func `a value goes into the envelope that its path names`() async throws {
    let server = try LoopbackServer()
    server.on("/") { LoopbackResponse.text(String(decoding: $0.body, as: UTF8.self)) }
    let body = try RequestBody.json([1], at: "data.attributes")
    let text = try await FetchClient().fetch(HTTPRequest(.post, server.url, body: body), .string)
    #expect(text == #"{"data":{"attributes":[1]}}"#)
    #expect(server.requests.first?.headers["Content-Type"] == "application/json")
  }

  @Test func `a path that names no place is an error`() {
    #expect(throws: EncodingError.self) { try RequestBody.json([1], at: "data[*]") }
  }
}
