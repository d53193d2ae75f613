import FetchKit
import FetchKitTesting
import Foundation
import Testing

@Suite struct TextExtractionTests {
  private func text(_ bytes: [UInt8], _ contentType: String?) async throws -> String {
    let stub = StubTransport { _ throws(TransportError) in
      let headers: HTTPHeaders = contentType.map { ["Content-Type": $0] } ?? [:]
      return TransportResponse(head: ResponseHead(status: 200, headers: headers), body: ResponseBody(Data(bytes)))
    }
    let url = try #require(URL(string: "http://example.com/"))
    return try await FetchClient { $0.transport = stub }.fetch(url, .string)
  }

  @Test(
    arguments: [
      (Array("grün".utf8), nil), ([0x67, 0x72, 0xFC, 0x6E], "text/plain; charset=ISO-8859-1"),
      (Array("grün".utf8), "text/plain; charset=utf-8\""), (Array("grün".utf8), "text/plain; charset=\"utf-8\""),
      (Array("grün".utf8), "text/plain; charset=us-ascii"),
      ([0xEF, 0xBB, 0xBF] + Array("grün".utf8), nil),
      ([0xFE, 0xFF, 0, 0x67, 0, 0x72, 0, 0xFC, 0, 0x6E], "a/b;charset=UTF-16"),
    ] as [([UInt8], String?)])
  func `text is decoded in its character set, without a byte order mark`(bytes: [UInt8], contentType: String?)
    async throws
  {
    #expect(try await text(bytes, contentType) == "grün")
  }

  @Test func `a byte order mark in the middle of text is text`() async throws {
    #expect(try await text([0x61, 0xEF, 0xBB, 0xBF], nil).unicodeScalars.map(\.value) == [0x61, 0xFEFF])
    #expect(try await text([0xEF, 0xBB, 0xBF], nil) == "")
  }

  @Test func `invalid bytes and unknown character sets are refused as text`() async {
    await #expect(throws: FetchError.self) { try await text([0xC3], nil) }
    await #expect(throws: FetchError.self) { try await text([0x61], "text/plain; charset=klingon") }
  }
}
