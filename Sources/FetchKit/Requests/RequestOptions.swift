/// The options for a single request. If an option is nil, the client's configuration applies.
public struct RequestOptions: Sendable {
  /// The timeouts for the phases of the request.
  public var timeouts: Timeouts?
  /// The maximum sizes of the parts of the response.
  public var limits: ResponseLimits?
  /// The status codes that count as success.
  public var acceptableStatusCodes: Range<Int>?
  /// The policy for retrying the request.
  public var retry: RetryPolicy?
  /// How redirects are followed.
  public var redirects: RedirectPolicy?
  /// How the request uses the client's cache.
  public var cache = CacheMode.standard
  /// Whose credentials the request carries, such as a user ID. If nil, the cache serves a response only to requests
  /// with the same credentials.
  ///
  /// If set, the cache serves a response to every request with the same identity instead, whatever the values of the
  /// fields with credentials are. Stored responses then stay usable when a token is replaced. Typically, the `apply`
  /// function of an ``Authenticator`` sets the identity. A redirect to a different origin removes it together with the
  /// credentials. The cache keeps only a digest of the identity.
  public var cacheIdentity: String?
  /// Whether the request can safely be sent more than once.
  public var idempotency = Idempotency.byMethod
  /// The priority of this request among the requests that are waiting to be sent.
  public var priority = RequestPriority.normal
  /// A function that receives the upload progress while the request body is being sent. The number of bytes sent
  /// restarts at 0 for each attempt.
  public var uploadProgress: TransportRequest.UploadProgress?

  /// Creates options that do not override the client's configuration.
  public init() {}
}
