/// A position in a store's history.
///
/// Save a token with data derived from the store, and use it later, even after the program has been restarted, to get
/// the changes since then. A token is valid for its store and for copies of the store, up to the commit at which they
/// diverged.
public struct HistoryToken: Sendable, Hashable, Codable {
  /// The position, and a tag that distinguishes this commit from one at the same position in another store.
  let number: Int64
  let tag: Int64
}
