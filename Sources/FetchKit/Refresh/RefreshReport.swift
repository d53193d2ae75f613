/// The outcome of a refresh: its result, the number of items per outcome, and the errors.
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
  /// The number of items that have not changed.
  public internal(set) var unchanged = 0
  /// The number of items that were cancelled or had not started when the time budget ran out.
  public internal(set) var cancelled = 0
  /// The items whose update threw an error, in the order of the list.
  public internal(set) var failures: [Failure] = []
  /// The error that prevented the list of items from being loaded, or nil if the list was loaded.
  public internal(set) var listError: (any Error)?
  /// Whether the refresh ended because its time budget ran out.
  public internal(set) var isTimedOut = false

  /// The number of items that failed.
  public var failed: Int { failures.count }

  /// The result. It is `newData` if any item changed. Otherwise, it is `failed` if an item failed or was cancelled, or
  /// if the list could not be loaded. In all other cases, it is `noData`.
  public var result: RefreshResult {
    if changed > 0 { return .newData }
    return failures.isEmpty && cancelled == 0 && listError == nil ? .noData : .failed
  }
}
