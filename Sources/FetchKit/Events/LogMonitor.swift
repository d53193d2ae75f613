/// Writes a line for every event of a client.
///
/// ```swift
/// let client = FetchClient { $0.monitors = [LogMonitor { print($0) }] }
/// ```
public struct LogMonitor: EventMonitor {
  private let write: @Sendable (String) -> Void

  /// A monitor that hands its lines to a closure.
  public init(_ write: @escaping @Sendable (String) -> Void) {
    self.write = write
  }

  /// Writes the line.
  public func note(_ event: FetchEvent) {
    write(event.description)
  }
}
