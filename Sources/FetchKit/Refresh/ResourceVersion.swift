internal import Foundation

/// The version of a resource at the time of a fetch. Use it to detect whether the resource has changed since then.
///
/// Store the version together with the value extracted from the response, and pass the version to
/// ``FetchClient/fetch(_:_:ifChangedFrom:)`` the next time you fetch the resource.
public struct ResourceVersion: Sendable, Hashable, Codable {
  /// The exact value of the response's `ETag` field (RFC 9110 §8.8.3).
  public var entityTag: String?
  /// The exact value of the response's `Last-Modified` field (RFC 9110 §8.8.2).
  public var lastModified: String?
  /// The SHA-256 digest of the body as hexadecimal digits.
  public var digest: String

  /// Creates a version with the given header field values and digest.
  public init(entityTag: String? = nil, lastModified: String? = nil, digest: String) {
    self.entityTag = entityTag
    self.lastModified = lastModified
    self.digest = digest
  }

  /// Creates a version from a response.
  ///
  /// - Complexity: O(*n*), where *n* is the size of the body. Computing the digest takes about 5 ms per MB.
  public init(of response: FetchResponse) {
    self.init(
      entityTag: response.headers["ETag"], lastModified: response.headers["Last-Modified"],
      digest: SHA256.hexDigest(of: response.body))
  }
}
