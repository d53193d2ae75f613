/// What the failure of a request says about its effect.
public enum RemoteFailure: Hashable, Sendable {
  /// It may have taken effect: there was no answer.
  case unknown
  /// It did not take effect, and may be repeated, after some milliseconds, at most a day, if the server says so. For
  /// example after a status of 429 or 503.
  case later(Int64?)
  /// It did not take effect, and does not until the user signs in. The engine pauses until ``SyncEngine/synchronize()``
  /// or ``SyncEngine/refresh()``.
  case unauthorized
}
