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
    // Nil until the response has arrived, or is late.
    let isLate = Lock<Bool?>(nil)
    let alarm = limit.map { limit in
      options.time.after(limit) {
        guard isLate.setOnce(true) else { return }
        pipe.close(isOrderly: false)
      }
    }
    defer { alarm?.cancel() }
    let response: CurlHandshakeResponse
    do throws(TransportError) {
      response = try await CurlHandshakeResponse(from: pipe, request.limits)
      guard isLate.setOnce(false) else { throw .timeout(phase) }
    } catch {
      pipe.close(isOrderly: false)
      throw isLate.setOnce(false) ? error : .timeout(phase)
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

extension Lock<Bool?> {
  /// Returns false if there is a value already.
  fileprivate func setOnce(_ value: Bool) -> Bool {
    withLock { current in
      guard current == nil else { return false }
      current = value
      return true
    }
  }
}
#endif
