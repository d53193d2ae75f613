public import FetchKit
public import Foundation

/// A request, as received by a ``LoopbackServer``.
public struct LoopbackRequest: Sendable {
  /// The method.
  public var method: HTTPMethod
  /// The request target as received: the percent-encoded path and query.
  public var target: String
  /// The header fields as received.
  public var headers: HTTPHeaders
  /// The body, without chunk sizes or other framing. Only the first ``LoopbackServer/maxStoredBodySize`` bytes are
  /// stored.
  public var body: Data
  /// The length of the whole body in bytes.
  public var bodyLength: Int
  /// The number of the connection on which the request arrived, counting from 1.
  public var connection: Int
  /// The percent-decoded values of the `{name}` segments in the route.
  public var parameters: [String: String]

  /// The path, percent-decoded.
  public var path: String {
    let encoded = target.prefix { $0 != "?" }
    return encoded.removingPercentEncoding ?? String(encoded)
  }

  /// The query items in order, percent-decoded. `+` is decoded as a space.
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

  /// Returns the value of the first query item with the given name.
  public func query(_ name: String) -> String? {
    queryItems.first { $0.name == name }?.value
  }
}
