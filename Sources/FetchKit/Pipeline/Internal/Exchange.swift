internal import Foundation

/// One fetch on its way through the stages: what is the same for all of its attempts, and the attempts so far.
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

  enum Deadline {
    /// The fetch ends at this time, or never.
    case own(Duration?)
    /// Each of the coalesced fetches leaves at its own deadline. Returns how long the last of them still waits.
    case shared(@Sendable () -> Duration?)
  }

  /// The request with the client's additions. Interceptors adapt it for each attempt.
  let original: HTTPRequest
  let delivery: TransportRequest.Delivery
  /// Set if the request opens a WebSocket.
  var socket: WebSocketOptions?
  let settings: Settings
  let redactor: Redactor
  let reporter: FetchReporter?
  let time: TimeSource
  /// When the total timeout ends.
  var deadline: Deadline
  /// Nil if nothing but the task that runs it can end the fetch.
  var open: OpenFetch?
  var attempts: [Attempt] = []

  init(
    _ request: HTTPRequest, delivery: TransportRequest.Delivery, settings: Settings, redactor: Redactor,
    time: TimeSource, monitors: [any EventMonitor], open: OpenFetch?
  ) {
    original = request
    self.delivery = delivery
    self.settings = settings
    self.redactor = redactor
    self.time = time
    self.open = open
    let begun = time.now()
    deadline = .own(settings.timeouts.total.map { begun + $0 })
    reporter = FetchReporter(monitors, redactor: redactor, time: time, begun: begun)
  }

  /// Returns a separate fetch with the same settings, which reports no events.
  func detached(with request: HTTPRequest, _ open: OpenFetch) -> Exchange {
    Exchange(
      request, delivery: delivery, settings: settings, redactor: redactor, time: time, monitors: [], open: open)
  }

  /// Whether the fetch must not be continued.
  var isCancelled: Bool { Task.isCancelled || open?.isCancelled == true }
}

// Time.
extension Exchange {
  var now: Duration { time.now() }

  /// When this fetch stops waiting, if it is not shared.
  var ownEnd: Duration? { if case .own(let end) = deadline { end } else { nil } }

  /// The time left until the total timeout expires.
  var remaining: Duration? {
    switch deadline {
    case .own(let end): end.map { $0 - time.now() }
    case .shared(let remaining): remaining()
    }
  }
}

extension Exchange {
  /// The context of an error about a request.
  func context(of request: HTTPRequest) -> FetchError.Context {
    FetchError.Context(method: request.method, url: request.url, redactor: redactor, attempts: attempts)
  }
}
