internal import Foundation

/// What makes two requests the same: everything that goes over the wire, credentials included, and everything that
/// decides what comes of it. So whatever a response varies by, those who share it are alike.
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
  private let acceptedStatus: Range<Int>
  private let redirects: RedirectPolicy
  private let retry: RetryPolicy

  /// Nil where the request is not to be shared: it changes something, has a body, or its progress is watched.
  init?(_ request: HTTPRequest, _ configuration: FetchClient.Configuration) {
    let options = request.options
    guard request.method.isSafe, request.body.isEmpty, options.uploadProgress == nil else { return nil }
    method = request.method
    url = request.url.absoluteString
    fields = request.headers.map { Field(name: $0.name.lowercased(), value: $0.value) }
    mode = options.cache
    limits = options.limits ?? configuration.limits
    let deadlines = options.deadlines ?? configuration.deadlines
    connect = deadlines.connect
    idle = deadlines.idle
    acceptedStatus = options.acceptedStatus ?? configuration.acceptedStatus
    redirects = options.redirects ?? configuration.redirects
    retry = options.retry ?? configuration.retry
  }
}
