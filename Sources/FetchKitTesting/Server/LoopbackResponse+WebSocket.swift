public import FetchKit
internal import Foundation

extension LoopbackResponse {
  /// A function that behaves as the server of a WebSocket. When it returns, the server closes with code 1000; when it
  /// throws, it cuts the connection.
  public typealias SocketHandler = @Sendable (LoopbackSocket) async throws -> Void

  /// A response that opens a WebSocket (RFC 6455 §4.2.2).
  ///
  /// ```swift
  /// server.on("/echo") { _ in
  ///   .webSocket { socket in
  ///     while let message = try await socket.receive() { socket.send(message) }
  ///   }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - subprotocol: The subprotocol that the server chooses.
  ///   - headers: Further header fields of the response. They replace those of the handshake.
  ///   - handler: What the server does then.
  public static func webSocket(
    subprotocol: String? = nil, headers: HTTPHeaders = [:], _ handler: @escaping SocketHandler
  ) -> LoopbackResponse {
    var response = LoopbackResponse(status: 101, headers: headers)
    response.socket = (subprotocol, handler)
    return response
  }

  static func socketHead(to request: LoopbackRequest, _ subprotocol: String?, _ headers: HTTPHeaders) -> String {
    var fields: HTTPHeaders = [
      "Upgrade": "websocket", "Connection": "Upgrade",
      "Sec-WebSocket-Accept": WebSocketHandshake.accept(request.headers["Sec-WebSocket-Key"] ?? ""),
    ]
    fields["Sec-WebSocket-Protocol"] = subprotocol
    for field in headers { fields[field.name] = field.value }
    return "HTTP/1.1 101 Switching Protocols\r\n"
      + fields.map { "\($0.name): \($0.value)\r\n" }.joined() + "\r\n"
  }
}
