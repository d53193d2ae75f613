/// What has changed in a store since a token was taken.
public enum HistoryChanges: Sendable {
  /// The change sets of all commits since then, in their order; and where to go on from, the next time.
  case changes([ChangeSet], next: HistoryToken)
  /// The token is older than what is kept of the history, or is not of this store: anything may have changed. Whoever
  /// fetches everything anew, in the same closure, can go on from the token `now`.
  case expired(now: HistoryToken)
}
