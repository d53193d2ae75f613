import FetchKit
import FetchKitTesting
import Foundation

/// A server that says what it received, a line for each request: `PUT /poster If-Match="a" 3 bytes`.
struct RequestLog: Sendable {
  private static let fields = ["Range", "If-Range", "If-None-Match", "Last-Event-ID", "Authorization", "X-Signature"]

  let server: LoopbackServer

  init() throws { server = try LoopbackServer() }

  var url: URL { server.url.appending(path: "x") }

  /// All requests so far. Equal idempotency keys have equal numbers.
  var lines: [String] {
    var keys: [String] = []
    return server.requests.map { request in
      var words = ["\(request.method)", request.path]
      for name in Self.fields {
        if let value = request.headers[name] { words.append("\(name)=\(value)") }
      }
      if request.headers["Accept-Encoding"] == "identity" { words.append("identity") }
      if let key = request.headers["Idempotency-Key"] {
        if !keys.contains(key) { keys.append(key) }
        words.append("key \((keys.firstIndex(of: key) ?? 0) + 1)")
      }
      if request.bodyLength > 0 { words.append("\(request.bodyLength) bytes") }
      return words.joined(separator: " ")
    }
  }

  /// Answers `/x` with a text that has an entity tag and these further fields.
  func serve(_ headers: HTTPHeaders = [:]) {
    server.serve(Data("hello".utf8), at: "/x", etag: "\"a\"") { _, response in
      var response = response
      for field in headers { response.headers[field.name] = field.value }
      return response
    }
  }
}
