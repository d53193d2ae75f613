internal import Foundation

extension HTTPRequest {
  /// The request with what the client adds to each, the same for all of its attempts.
  func prepared(for configuration: FetchClient.Configuration) -> HTTPRequest {
    var request = self
    for field in configuration.headers where headers[field.name] == nil {
      request.headers.append(field.value, for: field.name)
    }
    if let contentType = body.contentType, request.headers["Content-Type"] == nil {
      request.headers.append(contentType, for: "Content-Type")
    }
    switch options.idempotency {
    case .byMethod, .declared: break
    case .key(let key): request.headers["Idempotency-Key"] = key
    case .generatedKey: request.headers["Idempotency-Key"] = UUID().uuidString
    }
    request.moveUserInfo()
    return request
  }

  /// Whether sending it twice is harmless.
  var isRepeatable: Bool { method.isIdempotent || options.idempotency != .byMethod }

  /// Whether there is a body that can be read only once.
  var isOneShot: Bool { body.isOneShot && !body.isEmpty }

  /// User and password in a URL are sent as Basic credentials, on every transport, and do not stay in the URL.
  private mutating func moveUserInfo() {
    // Most URLs have no `@`, and looking for one costs less than taking the URL apart.
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
