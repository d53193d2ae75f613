/// The credentials that each authenticator added to a request.
typealias AuthenticationMarks = [ObjectIdentifier: AuthenticationMark]

/// Identifies the credentials that a request was sent with.
struct AuthenticationMark: Sendable, Hashable {
  /// The number of times that the credentials were forgotten.
  var session = 0
  /// The number of credentials obtained so far.
  var version: Int
  /// The number of failed refreshes so far.
  var failures: Int
}

/// What a client calls an interceptor for. Task-local, so that it reaches an authenticator that another interceptor
/// calls, which passes on only the request, but not one that is called in a detached task.
struct InterceptorCall: Sendable {
  @TaskLocal static var current: InterceptorCall?

  /// The credentials of the request. An authenticator adds to them.
  let credentials: Lock<AuthenticationMarks>
  /// The number of times that the interceptor has retried the request.
  let retries: Int

  init(_ credentials: AuthenticationMarks, retries: Int = 0) {
    self.credentials = Lock(credentials)
    self.retries = retries
  }
}

/// A request as the interceptors adapted it.
struct AdaptedRequest: Sendable {
  var request: HTTPRequest
  var credentials: AuthenticationMarks
}
