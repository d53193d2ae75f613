internal import Foundation

extension TransportRequest {
  /// Refuses what no transport sends; every transport calls it first, so that all refuse the same.
  ///
  /// - Throws: ``TransportError/invalidRequest(reason:)`` for a scheme other than `http` and `https`, a missing host, a
  ///   method or header name that is not a token, a header value with a line break or a NUL, a body on GET, HEAD or
  ///   TRACE, which has no meaning (RFC 9110 §9.3) and which some transports cannot send, a `Content-Length` that is not the
  ///   body's length, and a `Transfer-Encoding`, which is the transport's.
  public func validate() throws(TransportError) {
    guard let scheme = url.scheme?.lowercased(), scheme == "http" || scheme == "https" else {
      throw .invalidRequest(reason: "the URL's scheme is not http or https")
    }
    guard let host = url.host(percentEncoded: true), !host.isEmpty else {
      throw .invalidRequest(reason: "the URL has no host")
    }
    guard Self.isToken(method.rawValue) else { throw .invalidRequest(reason: "the method is not a token") }
    if !body.isEmpty, [.get, .head, .trace].contains(method) {
      throw .invalidRequest(reason: "a \(method) request has no body")
    }
    for field in headers {
      guard Self.isToken(field.name) else { throw .invalidRequest(reason: "a header's name is not a token") }
      guard !field.value.utf8.contains(where: { $0 == 0 || $0 == 0x0A || $0 == 0x0D }) else {
        throw .invalidRequest(reason: "the value of the header \(field.name) has a line break or a NUL")
      }
      switch field.name.utf8.count {
      case 14 where field.name.equalsIgnoringASCIICase("content-length"):
        guard let length = Int64(field.value), length >= 0, length == body.length ?? declaredLength else {
          throw .invalidRequest(reason: "Content-Length is not the body's length")
        }
      case 17 where field.name.equalsIgnoringASCIICase("transfer-encoding"):
        throw .invalidRequest(reason: "Transfer-Encoding is the transport's")
      default: break
      }
    }
  }

  /// The `Content-Length` the caller named.
  var declaredLength: Int64? { headers["Content-Length"].flatMap { Int64($0) } }

  private static func isToken(_ name: String) -> Bool {
    !name.isEmpty && name.utf8.allSatisfy(\.isHTTPTokenByte)
  }
}
