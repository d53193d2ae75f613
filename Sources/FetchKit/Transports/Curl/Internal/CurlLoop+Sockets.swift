#if canImport(CLarderCurl)
internal import Foundation

extension CurlLoop {
  func openSocket(
    _ request: TransportRequest, _ options: WebSocketOptions, for transport: CurlTransport
  ) async throws(TransportError) -> SocketResponse {
    guard !Task.isCancelled else { throw .cancelled }
    try request.validate()
    let handshake = WebSocketHandshake(options, nonce: (0..<16).map { _ in UInt8.random(in: .min ... .max) })
    let socket = try CurlSocket(request, settings)
    let bytes = try handshake.bytes(of: request)
    let pipe = CurlSocketPipe(socket, self, transport, limit: options.sendBuffer)
    let start = options.time.now()
    let total = request.timeouts.total
    let connect = request.timeouts.connect
    let isTotal = if let total { connect.map({ total < $0 }) ?? true } else { false }
    do throws(TransportError) {
      try await pipe.open(within: [connect, total].compactMap(\.self).min(), options.time)
    } catch .timeout(.connect) where isTotal {
      throw .timeout(.total)
    }
    pipe.write(bytes)
    let (limit, phase): (Duration?, TimeoutPhase) =
      switch (request.timeouts.idle, total.map { $0 - (options.time.now() - start) }) {
      case (let idle?, let total?): idle < total ? (idle, .idle) : (total, .total)
      case (let idle, let total): (idle ?? total, total == nil ? .idle : .total)
      }
    let response: CurlHandshakeResponse
    do {
      response = try await withTimeout(limit, options.time) {
        try await CurlHandshakeResponse(from: pipe, request.limits)
      }
    } catch {
      pipe.close(isOrderly: false)
      throw error is TimeoutError ? .timeout(phase) : error as? TransportError ?? .cancelled
    }
    var head = response.head
    (head.remoteAddress, head.isInsecure) = (socket.remoteAddress, socket.isInsecure)
    guard head.status == 101 else {
      pipe.close(isOrderly: false)
      return SocketResponse(head: head, body: response.body)
    }
    do throws(TransportError) {
      let agreement = try handshake.agreement(head.headers)
      return SocketResponse(
        head: head, connection: WebSocketConnection(pipe, response.body, agreement, options))
    } catch {
      pipe.close(isOrderly: false)
      throw error
    }
  }
}
#endif
