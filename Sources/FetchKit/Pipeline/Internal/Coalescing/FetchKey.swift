internal import Foundation

/// The key of identical requests. It contains everything that is sent, including credentials, and everything that
/// affects the result. Coalesced requests therefore agree in every field that a response can vary by.
struct FetchKey: Hashable, Sendable {
  private let method: HTTPMethod
  private let url: String
  /// Names and values in turn.
  private let fields: [String]
  private let mode: CacheMode
  private let limits: ResponseLimits
  private let connect: Duration?
  private let idle: Duration?
  private let acceptableStatusCodes: Range<Int>
  private let redirects: RedirectPolicy
  private let retry: RetryPolicy

  /// Nil if the request cannot be coalesced: it is not safe, has a body or reports progress.
  init?(_ request: HTTPRequest, _ settings: Exchange.Settings) {
    guard request.method.isSafe, request.body.isEmpty, request.options.uploadProgress == nil else { return nil }
    method = request.method
    url = request.url.absoluteString
    fields = request.headers.flatMap { [$0.name.lowercased(), $0.value] }
    mode = request.options.cache
    limits = settings.limits
    connect = settings.timeouts.connect
    idle = settings.timeouts.idle
    acceptableStatusCodes = settings.acceptableStatusCodes
    redirects = request.options.redirects ?? settings.redirects
    retry = settings.retry
  }
}
