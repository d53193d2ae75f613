public import Foundation

/// A response with a status code that does not count as success. If the response body is long, only its beginning is
/// included.
///
/// <doc:WhenSomethingGoesWrong> explains how to handle this failure.
public struct StatusFailure: Sendable {
  /// The status code.
  public var status: Int
  /// The header fields of the response.
  public var headers: HTTPHeaders
  /// The response body, or its first 64 KiB if the body is longer.
  public var body: Data
  /// Whether ``body`` was truncated. If true, it contains only the beginning of the response body.
  public var isBodyTruncated: Bool

  static let keptBytes = 64 << 10

  /// Creates a failure from a status code, header fields and a body, for example for a test.
  public init(status: Int, headers: HTTPHeaders = [:], body: Data = Data(), isBodyTruncated: Bool = false) {
    self.status = status
    self.headers = headers
    self.body = body
    self.isBodyTruncated = isBodyTruncated
  }

  /// Whether the status code is 408, 425, 429, 500, 502, 503 or 504, or the server limits the rate of requests with
  /// status code 403: the response then has `Retry-After`, or it has `X-RateLimit-Remaining` or `RateLimit-Remaining`
  /// with the value 0.
  public var isRetryable: Bool { Self.retryableStatusCodes.contains(status) || isRateLimit }

  /// Whether the server refused the request because there were too many.
  var isRateLimit: Bool { Self.isRateLimit(status, headers) }

  static func isRateLimit(_ status: Int, _ headers: HTTPHeaders) -> Bool {
    guard status == 403 else { return status == 429 }
    return headers["Retry-After"] != nil
      || ["X-RateLimit-Remaining", "RateLimit-Remaining"].contains { name in
        headers[name].flatMap { Double($0) }.map { $0 < 1 } ?? false
      }
  }

  static let retryableStatusCodes: Set = [408, 425, 429, 500, 502, 503, 504]
}
