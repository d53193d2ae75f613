internal import Foundation

/// One fetch on its way through the stages.
///
/// Every stage receives it and passes it on. Afterward, it contains what the stages below have recorded, even if they
/// failed.
struct Exchange {
  /// The request's options, or the client's if the request sets none. The redirect policy is always the client's,
  /// because interceptors can set another one for the request.
  struct Settings {
    var acceptableStatusCodes: Range<Int>
    var limits: ResponseLimits
    var timeouts: Timeouts
    var retry: RetryPolicy
    var redirects: RedirectPolicy
  }

  /// The request with the client's additions. Interceptors adapt it for each attempt.
  let original: HTTPRequest
  let delivery: TransportRequest.Delivery
  let settings: Settings
  let redactor: Redactor
  let reporter: FetchReporter?
  let time: TimeSource
  private let begun: Duration
  /// Nil if nothing but the task that runs it can end the fetch.
  var open: OpenFetch?

  /// The request to send next, or the one sent last: the request adapted for this attempt or, after a redirect, the
  /// request to its target.
  private(set) var request: HTTPRequest
  /// Whether the interceptors have already adapted the request for this attempt.
  private(set) var isAdapted = false
  /// Whether a redirect was followed in this attempt.
  private(set) var isRedirected = false
  /// The credentials of the previous attempt.
  private(set) var marks: [ObjectIdentifier: AuthenticationMark] = [:]
  private var knownOrigin: String?
  var attempts: [Attempt] = []
  /// What is known about the phases of the request sent last in this attempt, or nil before its end.
  var timings: TransportTimings?
  /// A stored response that may be used if no response arrives.
  var staleFallback: StaleFallback?
  /// The time that the transport spent on this attempt. Waiting for a turn does not count.
  var attemptSpent = Duration.zero
  /// Returns how long the last of the coalesced fetches still waits. Each of them keeps its own timeouts.
  var sharedRemaining: (@Sendable () -> Duration?)?

  init(
    _ request: HTTPRequest, _ delivery: TransportRequest.Delivery, _ settings: Settings, _ redactor: Redactor,
    _ time: TimeSource, _ monitors: [any EventMonitor], _ open: OpenFetch?
  ) {
    self.open = open

    original = request
    self.request = request
    self.delivery = delivery
    self.settings = settings
    self.redactor = redactor
    self.time = time
    begun = time.now()
    reporter = FetchReporter(monitors, redactor, time, begun)
  }

  /// Returns a separate fetch with the same settings, which reports no events.
  func detached(with request: HTTPRequest, _ open: OpenFetch) -> Exchange {
    Exchange(request, delivery, settings, redactor, time, [], open)
  }

  /// Whether the fetch must not be continued.
  var isCancelled: Bool { Task.isCancelled || open?.isCancelled == true }
}

extension Exchange {
  /// The origin of the request's URL.
  var origin: String {
    mutating get {
      if let knownOrigin { return knownOrigin }
      let origin = request.url.origin
      knownOrigin = origin
      return origin
    }
  }

  var redirectPolicy: RedirectPolicy { request.options.redirects ?? settings.redirects }

  /// Sets the request of this attempt.
  mutating func adapt(to adapted: HTTPRequest) {
    if adapted.url != request.url { knownOrigin = nil }
    request = adapted
    marks = adapted.marks
    isAdapted = true
  }

  mutating func redirect(to target: HTTPRequest) {
    request = target
    knownOrigin = nil
    timings = nil
    isRedirected = true
  }

  /// Begins an attempt with the adapted request.
  mutating func beginAttempt() {
    isAdapted = false
    isRedirected = false
    attemptSpent = .zero
    timings = nil
  }
}

// Time.
extension Exchange {
  var now: Duration { time.now() }

  /// When the total timeout ends.
  var end: Duration? { settings.timeouts.total.map { begun + $0 } }

  /// The time left until the total timeout expires.
  var remaining: Duration? {
    if let sharedRemaining { return sharedRemaining() }
    return end.map { $0 - time.now() }
  }
}

extension Exchange {
  /// The context of an error about the request that was sent last.
  var context: FetchError.Context { context(of: request) }

  func context(of request: HTTPRequest) -> FetchError.Context {
    FetchError.Context(method: request.method, url: request.url, redactor: redactor, attempts: attempts)
  }
}

/// A stored response that may be used if no response arrives.
struct StaleFallback {
  var stored: StoredResponse
  var query: CacheRequest
  var request: HTTPRequest
}
