/// Who goes first when requests wait for their turn.
public enum RequestPriority: Int, Sendable, Hashable, Comparable, CaseIterable {
  /// What nobody waits for: prefetching, refresh in the background.
  case low
  /// Everything else.
  case normal
  /// What someone is looking at.
  case high

  /// Whether one gives way to the other.
  public static func < (left: RequestPriority, right: RequestPriority) -> Bool {
    left.rawValue < right.rawValue
  }
}
