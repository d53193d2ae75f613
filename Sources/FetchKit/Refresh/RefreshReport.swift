/// How a refresh went: its result, how many items went which way, and the errors.
public struct RefreshReport<Item: Sendable>: Sendable {
  /// An item that could not be updated.
  public struct Failure: Sendable {
    /// The item.
    public var item: Item
    /// What its update threw.
    public var error: any Error
  }

  /// How many items changed.
  public internal(set) var changed = 0
  /// How many items are as they were.
  public internal(set) var unchanged = 0
  /// How many items were cancelled, or not begun when the time was up.
  public internal(set) var cancelled = 0
  /// The items whose update threw, in the order of the list.
  public internal(set) var failures: [Failure] = []
  /// Why the list of items could not be read, if that was so.
  public internal(set) var listError: (any Error)?
  /// Whether the time budget ended it.
  public internal(set) var isOutOfTime = false

  /// How many items failed.
  public var failed: Int { failures.count }

  /// The result: `newData` when anything changed; else `failed` when anything failed or was cancelled, or the list
  /// could not be read; else `noData`.
  public var result: RefreshResult {
    if changed > 0 { return .newData }
    return failures.isEmpty && cancelled == 0 && listError == nil ? .noData : .failed
  }
}
