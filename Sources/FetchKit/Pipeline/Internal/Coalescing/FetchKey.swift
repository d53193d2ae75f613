internal import Foundation

/// The key of identical requests. It contains everything that is sent, including credentials, and everything that
/// affects the result. Coalesced requests therefore agree in every field that a response can vary by.
struct FetchKey: Hashable, Sendable {
  private struct Field: Hashable {
    var name: String
    var value: String
  }

  private let method: HTTPMethod
  private let url: String
  private let fields: [Field]
  private let mode: CacheMode
  private let limits: ResponseLimits
  private let connect: Duration?
  private let idle: Duration?
  private let acceptableStatusCodes: Range<Int>
  private let redirects: RedirectPolicy
  private let retry: RetryPolicy

  /// Nil if the request cannot be coalesced: it is not safe, has a body or reports progress.
  init?(_ exchange: Exchange) {
    let (request, settings) = (exchange.request, exchange.settings)
    guard request.method.isSafe, request.body.isEmpty, request.options.uploadProgress == nil else { return nil }
    method = request.method
    url = request.url.absoluteString
    fields = request.headers.map { Field(name: $0.name.lowercased(), value: $0.value) }
    mode = request.options.cache
    limits = settings.limits
    connect = settings.timeouts.connect
    idle = settings.timeouts.idle
    acceptableStatusCodes = settings.acceptableStatusCodes
    redirects = exchange.redirectPolicy
    retry = settings.retry
  }
}
