/// The changes in a store since a history token.
public enum HistoryChanges: Sendable {
  /// The change sets of the commits since the token, in order, and the token for the next call.
  case changes([ChangeSet], next: HistoryToken)
  /// Anything may have changed, because the token is older than the retained history or belongs to another store. Fetch
  /// everything again in the same closure, and continue from the token `now`.
  case expired(now: HistoryToken)
}
