public import Foundation

/// An API request that is described by its parts. Usually, an enum conforms to this protocol and has a case for each
/// request.
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
/// Path segments and query items are plain text. The client percent-encodes them according to RFC 3986, including `+`,
/// `&`, `=`, `#`, spaces and all non-ASCII characters. Only ``baseURL`` is used as is.
public protocol Endpoint: HTTPRequestConvertible {
  /// The HTTP method. The default is GET.
  var method: HTTPMethod { get }
  /// The absolute, percent-encoded URL of the API. Its path and query, if any, are preserved.
  var baseURL: URL { get }
  /// The path that is appended to the base URL, not percent-encoded. A leading slash makes no difference. The default
  /// is an empty path.
  var path: String { get }
  /// The segments of the path. The default implementation splits ``path`` at its slashes. Implement this property if a
  /// segment can contain a slash.
  var pathSegments: [String] { get }
  /// The query items in order, not percent-encoded. The default is an empty array. An item without a value is sent
  /// without `=`.
  var queryItems: [URLQueryItem] { get }
  /// The header fields to send. By default, there are none.
  var headers: HTTPHeaders { get }
  /// The request body. By default, there is none. An error thrown here is reported as ``FetchError/requestBody(_:_:)``.
  var body: RequestBody { get throws }
  /// The options that override the client's configuration. By default, nothing is overridden.
  var options: RequestOptions { get }
}

extension Endpoint {
  /// The GET method.
  public var method: HTTPMethod { .get }
  /// An empty path.
  public var path: String { "" }
  /// The segments that result from splitting ``path`` at its slashes.
  public var pathSegments: [String] {
    path.isEmpty ? [] : path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
  }
  /// An empty array.
  public var queryItems: [URLQueryItem] { [] }
  /// No header fields.
  public var headers: HTTPHeaders { [:] }
  /// No body.
  public var body: RequestBody { .none }
  /// Options that do not override anything.
  public var options: RequestOptions { RequestOptions() }
}
