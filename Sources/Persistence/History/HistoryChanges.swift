/// The changes in a store since a history token.
public enum HistoryChanges: Sendable {
  /// The change sets of the commits since the token, in order, and the token for the next call.
  case changes([ChangeSet], next: HistoryToken)
  /// Anything may have changed, because the token is older than the retained history or belongs to another store. Fetch
  /// everything again in the same closure, and continue from the token `now`.
  case expired(now: HistoryToken)
}

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
