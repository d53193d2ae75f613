internal import Foundation

/// The version of a resource when it was last fetched. Use it to detect whether the resource has changed since then.
///
/// Store the version together with the value extracted from the response, and pass it to
/// ``FetchClient/fetch(_:_:ifChangedFrom:)`` in the next fetch.
public struct ResourceVersion: Sendable, Hashable, Codable {
  /// The exact value of the response's `ETag` field (RFC 9110 §8.8.3).
  public var entityTag: String?
  /// The exact value of the response's `Last-Modified` field (RFC 9110 §8.8.2).
  public var lastModified: String?
  /// The SHA-256 digest of the body as hexadecimal digits.
  public var digest: String

  /// Creates a version from its parts.
  public init(entityTag: String? = nil, lastModified: String? = nil, digest: String) {
    self.entityTag = entityTag
    self.lastModified = lastModified
    self.digest = digest
  }

  /// Creates a version from a response.
  ///
  /// - Complexity: Linear in the size of the body, at about 5 ms per MB.
  public init(of response: FetchResponse) {
    self.init(
      entityTag: response.headers["ETag"], lastModified: response.headers["Last-Modified"],
      digest: SHA256.hexDigest(of: response.body))
  }
}
