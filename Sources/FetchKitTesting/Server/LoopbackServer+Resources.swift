internal import FetchKit
public import Foundation

extension LoopbackServer {
  /// Serves the given bytes as a well-behaved server would serve a file, with support for `ETag`, `If-None-Match`,
  /// `Range` and `If-Range` (RFC 9110 §13, §14).
  ///
  /// The server supports only one range per request. If a request specifies several ranges, the response contains all
  /// bytes.
  ///
  /// - Parameters:
  ///   - data: The bytes to serve.
  ///   - path: The path, in the form described at ``on(_:_:at:handler:)``.
  ///   - etag: The entity tag with its quotes, or nil to send no entity tag.
  ///   - contentType: The value of the `Content-Type` field.
  ///   - change: A function that is called for every request and can change the response before it is sent.
  public func serve(
    _ data: Data, at path: String, etag: String? = nil, contentType: String = "application/octet-stream",
    change: @escaping @Sendable (LoopbackRequest, LoopbackResponse) -> LoopbackResponse = { $1 }
  ) {
    on(path) { request in
      var response = LoopbackResponse(headers: ["Content-Type": contentType, "Accept-Ranges": "bytes"])
      if let etag { response.headers["ETag"] = etag }
      if let etag, Self.matches(request.headers["If-None-Match"], etag) {
        response.status = 304
        return change(request, response)
      }
      let isCurrent = request.headers["If-Range"].map { $0 == etag } ?? true
      guard isCurrent, let text = request.headers["Range"], let range = ByteRange(text) else {
        response.body = .data(data)
        return change(request, response)
      }
      guard let bytes = range.resolved(in: data.count) else {
        response.status = 416
        response.headers["Content-Range"] = "bytes */\(data.count)"
        return change(request, response)
      }
      response.status = 206
      response.headers["Content-Range"] = "bytes \(bytes.lowerBound)-\(bytes.upperBound - 1)/\(data.count)"
      response.body = .data(data.dropFirst(bytes.lowerBound).prefix(bytes.count))
      return change(request, response)
    }
  }

  private static func matches(_ field: String?, _ etag: String) -> Bool {
    guard let field else { return false }
    let opaque = etag.hasPrefix("W/") ? String(etag.dropFirst(2)) : etag
    return field.split(separator: ",").contains { candidate in
      let candidate = candidate.trimmingCharacters(in: .whitespaces)
      return candidate == "*" || candidate == opaque || candidate == "W/\(opaque)"
    }
  }
}

/// A single range of a `Range` field.
private struct ByteRange {
  private let first: Int?
  private let last: Int?

  init?(_ text: String) {
    guard text.hasPrefix("bytes="), !text.contains(",") else { return nil }
    let parts = text.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 2 else { return nil }
    first = Int(parts[0])
    last = Int(parts[1])
    guard first != nil || last != nil, (first ?? 0) <= (last ?? .max) || first == nil else { return nil }
  }

  func resolved(in count: Int) -> Range<Int>? {
    guard let first else {
      let length = min(last ?? 0, count)
      return length > 0 ? (count - length)..<count : nil
    }
    guard first < count else { return nil }
    return first..<(min(last ?? count, count - 1) + 1)
  }
}
