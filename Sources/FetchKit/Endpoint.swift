public import Foundation

/// A request of an API, described by its parts: usually a case of an enum.
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
/// Path segments and query items are plain text: they are percent-encoded here by RFC 3986, `+`, `&`, `=`, `#`, spaces
/// and everything beyond ASCII included. Only ``baseURL`` is taken as it is.
public protocol Endpoint: HTTPRequestConvertible {
  /// The method; GET unless implemented.
  var method: HTTPMethod { get }
  /// Where the API lives: absolute, and encoded already. A path it has is kept, and so is a query.
  var baseURL: URL { get }
  /// The path below the base URL, not encoded; a leading slash makes no difference. Empty unless implemented.
  var path: String { get }
  /// The segments of the path: ``path`` split at its slashes unless implemented. Implement it where a segment may
  /// itself contain a slash.
  var pathSegments: [String] { get }
  /// The items of the query in order, not encoded; none unless implemented. An item without a value has no `=`.
  var queryItems: [URLQueryItem] { get }
  /// The fields to send; none unless implemented.
  var headers: HTTPHeaders { get }
  /// The body; none unless implemented. What it throws becomes ``FetchError/requestBody(_:_:)``.
  var body: RequestBody { get throws }
  /// What this endpoint wants otherwise than the client's configuration says; nothing unless implemented.
  var options: RequestOptions { get }
}

extension Endpoint {
  /// GET.
  public var method: HTTPMethod { .get }
  /// No path below the base URL.
  public var path: String { "" }
  /// ``path``, split at its slashes.
  public var pathSegments: [String] {
    path.isEmpty ? [] : path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
  }
  /// No query.
  public var queryItems: [URLQueryItem] { [] }
  /// No fields.
  public var headers: HTTPHeaders { [:] }
  /// No body.
  public var body: RequestBody { .none }
  /// As the client is configured.
  public var options: RequestOptions { RequestOptions() }
}
