import FetchKit

enum TransportName: String {
  case urlSession
  #if os(Linux)
  case curl
  #endif

  /// A new transport, which closes its connections when it is released.
  func make() throws -> any Transport & AnyObject {
    switch self {
    case .urlSession: URLSessionTransport()
    #if os(Linux)
    case .curl: try CurlTransport()
    #endif
    }
  }
}
