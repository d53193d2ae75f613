import FetchKit
import FetchKitTesting
import Foundation

/// A replica's response before it is sent.
struct Answer: Sendable {
  let status: Int
  let body: Data
  let contentType: String

  init(status: Int = 200, body: Data, contentType: String) {
    self.status = status
    self.body = body
    self.contentType = contentType
  }

  init(status: Int = 200, json: JSONObject) {
    self.init(status: status, body: json.data, contentType: "application/json; charset=utf-8")
  }

  /// A strong validator. The same body has the same validator in every process.
  var entityTag: String { "\"\(String(stableHash(body), radix: 16))\"" }

  /// The response with its validator: 304 without a body if the client already has the body, or 206 with the rest if
  /// the client has the beginning (RFC 9110 §13, §14).
  func response(to request: LoopbackRequest) -> LoopbackResponse {
    guard status == 200 else {
      return LoopbackResponse(status: status, headers: ["Content-Type": contentType], body: .data(body))
    }
    if request.headers["If-None-Match"] == entityTag {
      return .status(304, headers: ["ETag": entityTag])
    }
    var response = LoopbackResponse(headers: ["Content-Type": contentType, "ETag": entityTag, "Accept-Ranges": "bytes"])
    response.body = .data(body)
    guard let offset = request.headers["Range"].flatMap(Self.offset), (1..<body.count).contains(offset),
      request.headers["If-Range"] ?? entityTag == entityTag
    else { return response }
    response.status = 206
    response.headers["Content-Range"] = "bytes \(offset)-\(body.count - 1)/\(body.count)"
    response.body = .data(body.dropFirst(offset))
    return response
  }

  /// Parses ranges such as `bytes=4096-`, the only form that is needed for resuming.
  private static func offset(_ range: String) -> Int? {
    guard range.hasPrefix("bytes="), range.hasSuffix("-") else { return nil }
    return Int(range.dropFirst("bytes=".count).dropLast())
  }
}
