internal import Foundation

/// What a resource looked like when it was last fetched: enough to tell whether it has changed since.
///
/// Keep it beside what was made of the response, and hand it to ``FetchClient/fetch(_:_:ifChangedFrom:)`` the next
/// time.
public struct ResourceVersion: Sendable, Hashable, Codable {
  /// The `ETag` of the response (RFC 9110 §8.8.3), as it came.
  public var entityTag: String?
  /// The `Last-Modified` of the response (RFC 9110 §8.8.2), as it came.
  public var lastModified: String?
  /// The SHA-256 of the body, in hexadecimal digits.
  public var digest: String

  /// A version from its parts.
  public init(entityTag: String? = nil, lastModified: String? = nil, digest: String) {
    self.entityTag = entityTag
    self.lastModified = lastModified
    self.digest = digest
  }

  /// The version that a response shows.
  ///
  /// - Complexity: linear in the body, about 5 ms per MB.
  public init(of response: FetchResponse) {
    self.init(
      entityTag: response.headers["ETag"], lastModified: response.headers["Last-Modified"],
      digest: SHA256.hexDigest(of: response.body))
  }
}
