/// The result of a refresh, which is one of the three values that the system expects after a background launch.
public enum RefreshResult: String, Sendable, Hashable, Codable {
  /// At least one item changed, even if other items failed.
  case newData
  /// Every item was checked and nothing changed, or there were no items.
  case noData
  /// Nothing is known to have changed, but not everything was checked because an item failed or was cancelled, or
  /// because the list of items could not be loaded.
  case failed
}
