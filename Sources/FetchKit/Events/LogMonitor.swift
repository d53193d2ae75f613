/// A monitor that writes one line for each of a client's events.
///
/// ```swift
/// let client = FetchClient { $0.monitors = [LogMonitor { print($0) }] }
/// ```
public struct LogMonitor: EventMonitor {
  private let write: @Sendable (String) -> Void

  /// Creates a monitor that passes its lines to a closure.
  public init(_ write: @escaping @Sendable (String) -> Void) {
    self.write = write
  }

  /// Writes a line for the event.
  public func receive(_ event: FetchEvent) {
    write(event.description)
  }
}
