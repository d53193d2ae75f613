/// The one place that chooses what carries requests where a configuration names nothing: libcurl on Linux, URLSession
/// elsewhere.
enum DefaultTransport {
  #if os(Linux)
  static let shared: any Transport = curl

  /// Made once. Where it cannot be made, every request says why.
  static let curl: any Transport = {
    do throws(CurlTransport.SetupError) {
      return try CurlTransport()
    } catch {
      return UnavailableTransport(reason: error.description)
    }
  }()
  #else
  static let shared: any Transport = URLSessionTransport()
  #endif
}

#if os(Linux)
/// Stands in for a transport that this system cannot have, rather than a program's end or another transport's surprises.
struct UnavailableTransport: Transport {
  let reason: String

  func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
    throw .invalidRequest(reason: reason)
  }
}
#endif
