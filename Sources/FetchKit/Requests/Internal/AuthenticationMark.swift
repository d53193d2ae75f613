/// Identifies the credentials that a request was sent with.
struct AuthenticationMark: Sendable, Hashable {
  /// The number of credentials obtained so far.
  var version: Int
  /// The number of failed refreshes so far.
  var failures: Int
}
