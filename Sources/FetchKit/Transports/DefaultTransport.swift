/// The one place that chooses what carries requests where a configuration names nothing: libcurl on Linux, URLSession
/// elsewhere.
enum DefaultTransport {
  #if os(Linux)
  static let shared: any Transport = LateCurlTransport { () throws(CurlTransport.SetupError) in try CurlTransport() }
  #else
  static let shared: any Transport = URLSessionTransport()
  #endif
}

#if os(Linux)
/// Made by the first request, and by the next ones until it succeeds: a process without a descriptor for the moment has
/// one later. While it cannot be made every request says why.
final class LateCurlTransport: Transport {
  private let make: @Sendable () throws(CurlTransport.SetupError) -> any Transport
  private let made = Lock<(any Transport)?>(nil)

  init(_ make: @escaping @Sendable () throws(CurlTransport.SetupError) -> any Transport) {
    self.make = make
  }

  func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
    try await transport().send(request)
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
