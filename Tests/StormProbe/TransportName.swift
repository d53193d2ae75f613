import FetchKit

enum TransportName: String {
  case urlSession
  #if os(Linux)
  case curl
  #endif

  /// A transport of its own, which takes its connections with it.
  func make() throws -> any Transport & AnyObject {
    switch self {
    case .urlSession: URLSessionTransport()
    #if os(Linux)
    case .curl: try CurlTransport()
    #endif
    }
  }
}
