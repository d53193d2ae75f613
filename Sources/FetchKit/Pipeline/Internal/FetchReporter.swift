/// Reports the events of one fetch to the monitors of a client. Nil if there are no monitors.
struct FetchReporter: Sendable {
  private static let lastID = Lock(0)

  private let monitors: [any EventMonitor]
  private let redactor: Redactor
  private let time: TimeSource
  private let begun: Duration
  private let id: Int

  init?(_ monitors: [any EventMonitor], redactor: Redactor, time: TimeSource, begun: Duration) {
    guard !monitors.isEmpty else { return nil }
    self.monitors = monitors
    self.redactor = redactor
    self.time = time
    self.begun = begun
    id = Self.lastID.withLock { last in
      last += 1
      return last
    }
  }

  func note(_ kind: FetchEvent.Kind, _ request: HTTPRequest, _ timings: TransportTimings? = nil) {
    var event = FetchEvent(
      id: id, kind: kind, method: request.method, url: redactor.text(of: request.url), elapsed: time.now() - begun)
    event.timings = timings
    for monitor in monitors { monitor.receive(event) }
  }
}
