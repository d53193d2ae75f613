internal import Foundation

extension TransportRequest {
  /// Throws an error if the request is invalid and therefore must not be sent. Every transport calls this method first,
  /// so that all transports reject the same requests.
  ///
  /// - Throws: ``TransportError/invalidRequest(reason:)`` if one of these conditions is met:
  ///   - The URL's scheme is not `http` or `https`, the host is missing, the port is above 65535, or the URL contains a
  ///     user name or password.
  ///   - The method is CONNECT, or the method or the name of a header field is not a token.
  ///   - A header field value or the body's content type or encoding contains a line break or a NUL character.
  ///   - The request has a `Transfer-Encoding` field, or a `Content-Length` field that is invalid or differs from the
  ///     body's length.
  ///   - A GET, HEAD or TRACE request has a body, which would have no meaning (RFC 9110 §9.3) and which some transports
  ///     cannot send.
  public func validate() throws(TransportError) {
    try validateURL()
    guard Self.isToken(method.rawValue) else { throw .invalidRequest(reason: "the method is not a token") }
    guard method.rawValue != "CONNECT" else {
      throw .invalidRequest(reason: "CONNECT is not supported")
    }
    for field in headers {
      guard Self.isToken(field.name) else { throw .invalidRequest(reason: "a header field name is not a token") }
      guard Self.isOneLine(field.value) else {
        throw .invalidRequest(reason: "the value of the header field \(field.name) contains a line break or a NUL")
      }
      switch field.name.utf8.count {
      case 14 where field.name.equalsIgnoringASCIICase("content-length"):
        guard let length = Int64(field.value), length >= 0, length == declaredLength else {
          throw .invalidRequest(reason: "Content-Length is not a single nonnegative number")
        }
      case 17 where field.name.equalsIgnoringASCIICase("transfer-encoding"):
        throw .invalidRequest(reason: "Transfer-Encoding is set by the transport; remove it")
      default: break
      }
    }
    try validateBody()
  }

  /// The caller's `Content-Length`.
  var declaredLength: Int64? { headers["Content-Length"].flatMap { Int64($0) } }

  private func validateURL() throws(TransportError) {
    guard let scheme = url.scheme?.lowercased(), scheme == "http" || scheme == "https" else {
      throw .invalidRequest(reason: "the URL's scheme is not http or https")
    }
    guard let host = url.host(percentEncoded: true), !host.isEmpty else {
      throw .invalidRequest(reason: "the URL has no host")
    }
    guard (0...65_535).contains(url.port ?? 0) else {
      throw .invalidRequest(reason: "the URL's port is not between 0 and 65535")
    }
    // Searching for the sign costs less than parsing the URL.
    if url.absoluteString.contains(byte: UInt8(ascii: "@")),
      url.absoluteURL.user != nil || url.absoluteURL.password != nil
    {
      throw .invalidRequest(reason: "the URL contains a user name; send an Authorization field instead")
    }
  }

  private func validateBody() throws(TransportError) {
    if !body.isEmpty, [.get, .head, .trace].contains(method) {
      throw .invalidRequest(reason: "a \(method) request cannot have a body")
    }
    for field in body.fields where !Self.isOneLine(field.value) {
      throw .invalidRequest(reason: "the \(field.name) of the body contains a line break or a NUL")
    }
    switch body.content {
    case .none:
      if declaredLength ?? 0 != 0 { throw .invalidRequest(reason: "Content-Length without a body") }
    case .data(let data): try validate(length: Int64(data.count))
    case .stream(let length?, _): try validate(length: length)
    case .stream(nil, _), .file: break
    }
  }

  /// Checks that the length is valid and equal to the declared one, if any.
  func validate(length: Int64) throws(TransportError) {
    guard length >= 0 else { throw .invalidRequest(reason: "the body's length is negative") }
    guard declaredLength ?? length == length else {
      throw .invalidRequest(reason: "Content-Length differs from the body's length")
    }
  }

  static func isToken(_ name: String) -> Bool {
    !name.isEmpty && name.utf8.allSatisfy(\.isHTTPTokenByte)
  }

  private static func isOneLine(_ value: String) -> Bool {
    !value.utf8.contains { $0 == 0 || $0 == 0x0A || $0 == 0x0D }
  }
}
