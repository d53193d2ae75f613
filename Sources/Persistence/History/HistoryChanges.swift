/// The changes that were committed to a store after a history token.
public enum HistoryChanges: Sendable {
  /// The change sets of the commits after the token, oldest first, and the token to pass to the next call.
  case changes([ChangeSet], next: HistoryToken)
  /// The changes since the token are unknown, because the token is older than the retained history or belongs to
  /// another store. Fetch all data again, in the same closure if a closure requested the changes, and pass the token
  /// `now` to the next call.
  case expired(now: HistoryToken)
}

/// A position in a store's history.
///
/// Save a token together with the data that you derive from the store. Later, even after the program has been
/// restarted, use the token to get the changes that have been committed since. A token identifies a commit, and it is
/// valid for its store and for every copy of the store that contains this commit.
public struct HistoryToken: Sendable, Hashable, Codable {
  /// The position, and a tag that distinguishes this commit from one at the same position in another store.
  let number: Int64
  let tag: Int64
}
