/// The priority of a request. Waiting requests with a higher priority start first.
public enum RequestPriority: Int, Sendable, Hashable, Comparable, CaseIterable {
  /// The priority for requests that the user is not waiting for, such as prefetching and background refresh.
  case low
  /// The default priority.
  case normal
  /// The priority for content that is on screen.
  case high

  /// Returns whether the first priority is lower than the second priority.
  public static func < (left: RequestPriority, right: RequestPriority) -> Bool {
    left.rawValue < right.rawValue
  }
}
