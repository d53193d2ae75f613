/// What one request wants otherwise than the client's configuration says; nil leaves it as configured.
public struct RequestOptions: Sendable {
  /// How long each phase may take.
  public var deadlines: Deadlines?
  /// How large the response may be.
  public var limits: ResponseLimits?
  /// Which status codes are a success.
  public var acceptedStatus: Range<Int>?
  /// When the request is sent again.
  public var retry: RetryPolicy?
  /// How redirects are followed.
  public var redirects: RedirectPolicy?
  /// What it wants of the client's cache.
  public var cache = CacheMode.standard
  /// Whether sending it twice is harmless.
  public var idempotency = Idempotency.byMethod
  /// Who goes first when requests wait for their turn.
  public var priority = RequestPriority.normal
  /// Told while the body is being sent; on each attempt from the beginning.
  public var uploadProgress: TransportRequest.UploadProgress?

  /// Options that change nothing.
  public init() {}
}
