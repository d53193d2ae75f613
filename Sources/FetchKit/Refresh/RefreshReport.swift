/// The outcome of a refresh: its result, the number of changed, unchanged, cancelled and failed items, and the errors.
public struct RefreshReport<Item: Sendable>: Sendable {
  /// An item that could not be updated.
  public struct Failure: Sendable {
    /// The item.
    public var item: Item
    /// The error thrown while updating the item.
    public var error: any Error
  }

  /// The number of items that changed.
  public internal(set) var changed = 0
  /// The number of items that were checked and had not changed.
  public internal(set) var unchanged = 0
  /// The number of items whose updates were cancelled or never started.
  public internal(set) var cancelled = 0
  /// The items whose updates threw an error, in the order in which the items were given.
  public internal(set) var failures: [Failure] = []
  /// The error that prevented the list of items from being loaded, or nil if the list was loaded.
  public internal(set) var listError: (any Error)?
  /// Whether the refresh ended because its time budget ran out.
  public internal(set) var isTimedOut = false

  /// The number of items whose updates threw an error.
  public var failed: Int { failures.count }

  /// The result of the refresh. The result is `newData` if any item changed, and `noData` if every item was checked and
  /// no item changed. Otherwise, the result is `failed`.
  public var result: RefreshResult {
    if changed > 0 { return .newData }
    return failures.isEmpty && cancelled == 0 && listError == nil ? .noData : .failed
  }
}
