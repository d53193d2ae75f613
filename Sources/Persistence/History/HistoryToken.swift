/// A position in the history of a store.
///
/// Save it next to data that was derived from the store, and use it later, even after the program has been restarted,
/// to get the changes since then. It is valid for this store and its copies, up to the commit at which they diverged.
public struct HistoryToken: Sendable, Hashable, Codable {
  /// The position, and a tag that distinguishes this commit from one at the same position in another store.
  let number: Int64
  let tag: Int64
}
