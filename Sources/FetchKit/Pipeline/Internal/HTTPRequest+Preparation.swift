internal import Foundation

extension HTTPRequest {
  /// Returns the request with the client's additions, which are the same for all attempts.
  func prepared(with fields: HTTPHeaders) -> HTTPRequest {
    var request = self
    if headers.isEmpty {
      request.headers = fields  // without a copy
    } else {
      for field in fields where headers[field.name] == nil { request.headers.append(field.value, for: field.name) }
    }
    for field in body.fields where request.headers[field.name] == nil {
      request.headers.append(field.value, for: field.name)
    }
    switch options.idempotency {
    case .byMethod, .declared: break
    case .key(let key): request.headers["Idempotency-Key"] = key
    case .generatedKey: request.headers["Idempotency-Key"] = UUID().uuidString
    }
    request.moveUserInfo()
    return request
  }

  /// Whether the request can safely be sent twice.
  var isRepeatable: Bool { method.isIdempotent || options.idempotency != .byMethod }

  /// Whether the request has a body that can be read only once.
  var isOneShot: Bool { body.isOneShot && !body.isEmpty }

  /// Moves the user name and password of a URL to Basic credentials, the same on every transport.
  private mutating func moveUserInfo() {
    // Most URLs contain no `@`, and searching for it costs less than parsing the URL.
    guard url.absoluteString.contains(byte: UInt8(ascii: "@")),
      url.user(percentEncoded: true) != nil || url.password(percentEncoded: true) != nil,
      var parts = URLComponents(url: url, resolvingAgainstBaseURL: true)
    else { return }
    let credentials = "\(parts.user ?? ""):\(parts.password ?? "")"
    parts.user = nil
    parts.password = nil
    guard let bare = parts.url else { return }
    url = bare
    if headers["Authorization"] == nil {
      headers["Authorization"] = "Basic \(Data(credentials.utf8).base64EncodedString())"
    }
  }
}
