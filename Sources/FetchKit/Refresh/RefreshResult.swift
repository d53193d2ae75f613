/// The result of a refresh. The cases correspond to the three results that the system accepts after a background
/// launch.
public enum RefreshResult: String, Sendable, Hashable, Codable {
  /// At least one item changed, even if other items failed.
  case newData
  /// Every item was checked and no item changed, or there were no items.
  case noData
  /// No item is known to have changed, but the update of at least one item failed or was cancelled, or the list of
  /// items could not be loaded.
  case failed
}
