import FetchKit
import FetchKitTesting
import Foundation
import Testing

/// A server that compresses whatever it is allowed to, and cuts ranges out of what it would send.
@Suite(.timeLimit(.minutes(10))) struct RangeRequestTests {
  private static let text = String(repeating: "Call me Ishmael. ", count: 200)
  private let server: LoopbackServer
  private let url: URL

  init() throws {
    server = try LoopbackServer()
    url = server.url.appending(path: "book")
    server.on("/book") { request in
      let isPacked = request.headers.values(for: "Accept-Encoding").contains { $0.contains("gzip") }
      let whole = LoopbackResponse.text(Self.text)
      let sent = isPacked ? whole.gzipped() : whole
      guard case .data(let body) = sent.body else { return .status(500) }
      var headers = sent.headers
      headers["ETag"] = isPacked ? #""packed""# : #""plain""#
      headers["Vary"] = "Accept-Encoding"
      headers["Cache-Control"] = "max-age=60"
      guard let range = request.headers["Range"], let dash = range.firstIndex(of: "-"),
        let first = Int(range[range.index(range.startIndex, offsetBy: 6)..<dash]),
        let last = Int(range[range.index(after: dash)...])
      else { return LoopbackResponse(headers: headers, body: .data(body)) }
      headers["Content-Range"] = "bytes \(first)-\(last)/\(body.count)"
      return LoopbackResponse(
        status: 206, headers: headers, body: .data(body.dropFirst(first).prefix(last - first + 1)))
    }
  }

  private func request(_ range: String?, _ headers: HTTPHeaders = [:]) -> HTTPRequest {
    var request = HTTPRequest(.get, url, headers: headers)
    if let range { request.headers["Range"] = range }
    return request
  }

  @Test(arguments: [nil, "gzip", "gzip, br", "identity", ""] as [String?])
  func `a range is one of the body itself, whatever encodings the caller accepts`(accepted: String?) async throws {
    let headers: HTTPHeaders = accepted.map { ["Accept-Encoding": $0] } ?? [:]
    let clients = [FetchClient(), FetchClient { $0.headers = headers }, FetchClient { $0.cache = HTTPCache() }]
    for client in clients {
      for (range, expected) in [("bytes=0-3", "Call"), ("bytes=0-39", String(Self.text.prefix(40)))] {
        let response = try await client.fetch(request(range, headers), .response)
        #expect(response.status == 206 && String(decoding: response.body, as: UTF8.self) == expected)
        var streamed = Data()
        for try await chunk in try await client.stream(request(range, headers)) { streamed += chunk }
        #expect(String(decoding: streamed, as: UTF8.self) == expected)
      }
    }
    #expect(server.requests.allSatisfy { $0.headers.values(for: "Accept-Encoding") == ["identity"] })
  }

  @Test func `a whole body is still compressed, and a range beside it in the cache is right`() async throws {
    let client = FetchClient { $0.cache = HTTPCache() }
    #expect(try await client.fetch(request(nil), .string) == Self.text)
    #expect(server.requests.last?.headers["Accept-Encoding"]?.contains("gzip") == true)
    #expect(try await client.fetch(request("bytes=8-14"), .string) == "Ishmael")
  }
}
