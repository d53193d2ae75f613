public import FetchKit
public import Foundation

/// A request as a ``LoopbackServer`` received it.
public struct LoopbackRequest: Sendable {
  /// The method.
  public var method: HTTPMethod
  /// The request target as it came over the wire: path and query, still percent-encoded.
  public var target: String
  /// The fields as they came.
  public var headers: HTTPHeaders
  /// The body without its framing; only the first ``LoopbackServer/keptBodyBytes`` of it.
  public var body: Data
  /// How long the body was.
  public var bodyLength: Int
  /// Which connection it came on, counted from 1.
  public var connection: Int
  /// What the `{name}` segments of the route stood for, percent-decoded.
  public var parameters: [String: String]

  /// The path, percent-decoded.
  public var path: String {
    let encoded = target.prefix { $0 != "?" }
    return encoded.removingPercentEncoding ?? String(encoded)
  }

  /// The query's items in order, percent-decoded, `+` read as a space.
  public var queryItems: [URLQueryItem] {
    guard let mark = target.firstIndex(of: "?") else { return [] }
    return target[target.index(after: mark)...].split(separator: "&").map { pair in
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map { part in
        let spaced = part.replacing("+", with: " ")
        return spaced.removingPercentEncoding ?? String(spaced)
      }
      return URLQueryItem(name: parts[0], value: parts.count > 1 ? parts[1] : nil)
    }
  }

  /// The value of the first query item of that name.
  public func query(_ name: String) -> String? {
    queryItems.first { $0.name == name }?.value
  }
}
