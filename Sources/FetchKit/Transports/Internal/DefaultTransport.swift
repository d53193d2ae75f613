/// Chooses the transport for configurations that set none: libcurl on Linux, URLSession elsewhere.
enum DefaultTransport {
  #if canImport(CLarderCurl)
  static let shared: any Transport = LazyCurlTransport { () throws(CurlTransport.SetupError) in try CurlTransport() }
  #else
  static let shared: any Transport = URLSessionTransport()
  #endif
}

#if canImport(CLarderCurl)
/// Creates the transport with the first request, or with a later one until it succeeds: a process that has run out of
/// descriptors may have one later. While creation fails, every request reports why.
final class LazyCurlTransport: InterruptibleTransport, SocketTransport {
  private let make: @Sendable () throws(CurlTransport.SetupError) -> any Transport
  private let made = Lock<(any Transport)?>(nil)

  init(_ make: @escaping @Sendable () throws(CurlTransport.SetupError) -> any Transport) {
    self.make = make
  }

  func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
    try await transport().send(request)
  }

  func openSocket(
    _ request: TransportRequest, _ options: WebSocketOptions
  ) async throws(TransportError) -> SocketResponse {
    guard let transport = try transport() as? any SocketTransport else {
      throw .invalidRequest(reason: "the transport opens no WebSockets")
    }
    return try await transport.openSocket(request, options)
  }

  private func transport() throws(TransportError) -> any Transport {
    do throws(CurlTransport.SetupError) {
      return try made.withLock { (made) throws(CurlTransport.SetupError) in
        if let made { return made }
        let new = try make()
        made = new
        return new
      }
    } catch .noResources(let reason) {
      throw .connection(.noResources, detail: reason)
    } catch {
      throw .invalidRequest(reason: error.description)
    }
  }
}
#endif
