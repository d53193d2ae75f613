/// What an attempt failed with.
struct AttemptError: Error {
  var error: FetchError
  /// The request that failed: the last one if redirects were followed.
  var request: HTTPRequest
  var follower: RedirectFollower
  /// Whether the response was in the cache, or was made by it.
  var isStored = false
}

/// What sending one request of an attempt failed with.
struct SendError: Error {
  var error: TransportError
  /// What is known about the phases of the request, or nil if it was not sent.
  var timings: TransportTimings?
}
