/// The options for a single request. If an option is nil, the client's configuration applies.
public struct RequestOptions: Sendable {
  /// The timeouts for each phase.
  public var timeouts: Timeouts?
  /// The maximum size of the response.
  public var limits: ResponseLimits?
  /// The status codes that count as success.
  public var acceptableStatusCodes: Range<Int>?
  /// The policy for retrying the request.
  public var retry: RetryPolicy?
  /// How redirects are followed.
  public var redirects: RedirectPolicy?
  /// How the request uses the client's cache.
  public var cache = CacheMode.standard
  /// Whether the request can safely be sent twice.
  public var idempotency = Idempotency.byMethod
  /// The priority of this request among waiting requests.
  public var priority = RequestPriority.normal
  /// A function that receives the progress while the body is being sent. The count restarts from 0 for each attempt.
  public var uploadProgress: TransportRequest.UploadProgress?

  /// Creates options that do not override anything.
  public init() {}
}
