/// A monitor that writes one log line for each event of a client's fetches.
///
/// ```swift
/// let client = FetchClient { $0.monitors = [LogMonitor { print($0) }] }
/// ```
public struct LogMonitor: EventMonitor {
  private let write: @Sendable (String) -> Void

  /// Creates a monitor that passes each log line to a closure.
  public init(_ write: @escaping @Sendable (String) -> Void) {
    self.write = write
  }

  /// Writes a log line that describes the event.
  public func receive(_ event: FetchEvent) {
    write(event.description)
  }
}
