public import Foundation

/// A type that describes an API request by its method, base URL, path, query items, header fields and body. Typically,
/// an enumeration with one case per request conforms to this protocol.
///
/// ```swift
/// enum MovieDB: Endpoint {
///   case search(title: String), movie(id: Int64)
///
///   var baseURL: URL { URL(string: "https://api.example.com/3")! }
///   var path: String {
///     switch self {
///     case .search: "search/movie"
///     case .movie(let id): "movie/\(id)"
///     }
///   }
///   var queryItems: [URLQueryItem] {
///     switch self {
///     case .search(let title): [URLQueryItem(name: "query", value: title)]
///     case .movie: []
///     }
///   }
/// }
/// ```
///
/// Write path segments and query items as plain text. The client percent-encodes these parts according to RFC 3986,
/// including `+`, `&`, `=`, `#`, spaces and all non-ASCII characters. Only ``baseURL`` must already be percent-encoded.
nonisolated public protocol Endpoint: HTTPRequestConvertible {
  /// The HTTP method. The default is GET.
  var method: HTTPMethod { get }
  /// The absolute, percent-encoded URL of the API. The endpoint's path segments are appended to the path of this URL,
  /// and the endpoint's query items are appended to the query of this URL.
  var baseURL: URL { get }
  /// The path that is appended to the base URL, as plain text without percent-encoding. You can omit the leading slash.
  /// The default is an empty path.
  var path: String { get }
  /// The segments of the path, as plain text. The default implementation splits ``path`` at its slashes. Implement this
  /// property if a segment can contain a slash.
  var pathSegments: [String] { get }
  /// The query items in the order in which they are sent, as plain text without percent-encoding. The default is an
  /// empty array. An item with a nil value is sent without `=`. A ``QueryEncoder`` makes the items from an `Encodable`
  /// value. If this property throws an error, the fetch ends with ``FetchError/invalidRequest(reason:_:)``.
  var queryItems: [URLQueryItem] { get throws }
  /// The header fields to send. The default is an empty collection.
  var headers: HTTPHeaders { get }
  /// The request body. By default, the request has no body. If this property throws an error, the fetch ends with
  /// ``FetchError/requestBody(_:_:)``.
  var body: RequestBody { get throws }
  /// The options that override the client's configuration for this request. By default, nothing is overridden.
  var options: RequestOptions { get }
}

extension Endpoint {
  /// The GET method.
  public var method: HTTPMethod { .get }
  /// An empty path.
  public var path: String { "" }
  /// The parts of ``path`` between its slashes.
  public var pathSegments: [String] {
    path.isEmpty ? [] : path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
  }
  /// An empty array.
  public var queryItems: [URLQueryItem] { [] }
  /// No header fields.
  public var headers: HTTPHeaders { [:] }
  /// No body.
  public var body: RequestBody { .none }
  /// Options that leave the client's configuration unchanged.
  public var options: RequestOptions { RequestOptions() }
}
