public import Foundation

/// A response whose status code does not count as success, with the beginning of its body.
///
/// <doc:WhenSomethingGoesWrong> explains how to handle it.
public struct StatusFailure: Sendable {
  /// The status code.
  public var status: Int
  /// The header fields of the response.
  public var headers: HTTPHeaders
  /// At most the first 64 KiB of the body.
  public var body: Data
  /// Whether ``body`` contains only the beginning of the response's body.
  public var isBodyTruncated: Bool

  static let keptBytes = 64 << 10

  /// Creates a failure from its parts.
  public init(status: Int, headers: HTTPHeaders = [:], body: Data = Data(), isBodyTruncated: Bool = false) {
    self.status = status
    self.headers = headers
    self.body = body
    self.isBodyTruncated = isBodyTruncated
  }

  /// Whether the status code is 408, 425, 429, 500, 502, 503 or 504.
  public var isRetryable: Bool { Self.retryableStatusCodes.contains(status) }

  static let retryableStatusCodes: Set = [408, 425, 429, 500, 502, 503, 504]
}
