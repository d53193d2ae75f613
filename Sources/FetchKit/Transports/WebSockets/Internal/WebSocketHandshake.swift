internal import Foundation

/// The opening handshake of a client (RFC 6455 §4.1): the bytes of the request, and the judgement of the response.
package struct WebSocketHandshake {
  let key: String
  private let subprotocols: [String]
  private let offersDeflate: Bool

  /// - Parameter nonce: 16 random bytes.
  init(_ options: WebSocketOptions, nonce: [UInt8]) {
    key = Data(nonce).base64EncodedString()
    subprotocols = options.subprotocols
    offersDeflate = options.compression
  }

  /// The fields that the caller of the transport must not set.
  private static let reserved = [
    "Upgrade", "Connection", "Sec-WebSocket-Key", "Sec-WebSocket-Version", "Sec-WebSocket-Protocol",
    "Sec-WebSocket-Extensions", "Sec-WebSocket-Accept", "Content-Length",
  ]

  /// The bytes of the request.
  func bytes(of request: TransportRequest) throws(TransportError) -> Data {
    for name in Self.reserved where request.headers[name] != nil {
      throw .invalidRequest(reason: "the field \(name) belongs to the handshake; use the options")
    }
    guard request.method == .get, request.body.isEmpty else {
      throw .invalidRequest(reason: "the request of a WebSocket is a GET without a body")
    }
    for name in subprotocols {
      guard TransportRequest.isToken(name) else { throw .invalidRequest(reason: "a subprotocol is not a token") }
    }
    let url = request.url.absoluteURL
    let path = url.path(percentEncoded: true)
    let target = (path.isEmpty ? "/" : path) + (url.query(percentEncoded: true).map { "?\($0)" } ?? "")
    let name = url.host(percentEncoded: true) ?? ""
    let isBare = name.utf8.contains(UInt8(ascii: ":")) && !name.hasPrefix("[")
    let host = (isBare ? "[\(name)]" : name) + (url.port.map { ":\($0)" } ?? "")
    var lines = ["GET \(target) HTTP/1.1"]
    if request.headers["Host"] == nil { lines.append("Host: \(host)") }
    lines += ["Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: \(key)"]
    if !subprotocols.isEmpty { lines.append("Sec-WebSocket-Protocol: \(subprotocols.joined(separator: ", "))") }
    if offersDeflate { lines.append("Sec-WebSocket-Extensions: \(DeflateAgreement.offer)") }
    lines += request.headers.map { "\($0.name): \($0.value)" }
    return Data((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
  }

  struct Agreement: Equatable {
    var subprotocol: String?
    var deflate: DeflateAgreement?
  }

  /// Checks a response with status code 101 (RFC 6455 §4.2.2).
  func agreement(_ headers: HTTPHeaders) throws(TransportError) -> Agreement {
    func has(_ token: String, in name: String) -> Bool {
      var isFound = false
      for value in headers.values(for: name) {
        HTTPListField.forEach(in: value) { if $0.equalsIgnoringASCIICase(token) { isFound = true } }
      }
      return isFound
    }
    guard has("websocket", in: "Upgrade"), has("upgrade", in: "Connection") else {
      throw .malformedResponse(reason: "the server switched to another protocol than WebSocket")
    }
    guard headers.values(for: "Sec-WebSocket-Accept") == [Self.accept(key)] else {
      throw .malformedResponse(reason: "the server's Sec-WebSocket-Accept does not belong to the request")
    }
    let chosen = headers.values(for: "Sec-WebSocket-Protocol")
    guard chosen.count <= 1, chosen.allSatisfy(subprotocols.contains) else {
      throw .malformedResponse(reason: "the server chose a subprotocol that was not offered")
    }
    let extensions = headers.values(for: "Sec-WebSocket-Extensions")
    guard offersDeflate || extensions.isEmpty else {
      throw .malformedResponse(reason: "the server chose an extension that was not offered")
    }
    return Agreement(subprotocol: chosen.first, deflate: try DeflateAgreement(extensions))
  }

  /// What a server answers to a key.
  package static func accept(_ key: String) -> String {
    Data(SHA1.digest(of: key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11")).base64EncodedString()
  }
}
