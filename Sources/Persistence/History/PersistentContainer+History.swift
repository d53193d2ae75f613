extension PersistentContainer {
  /// Where the store's history is now. To know it of what was fetched, ask in the same closure:
  /// ``ObjectSpace/historyToken()``.
  ///
  /// - Throws: ``PersistenceError/noHistory`` if the store keeps none, see ``StoreConfiguration/history``.
  public func historyToken() async throws(PersistenceError) -> HistoryToken {
    try await newContext().perform { try $0.historyToken() }
  }

  /// What has been committed since a token was taken, by whomever. See ``ObjectSpace/changes(since:limit:)``.
  ///
  /// - Parameters:
  ///   - token: where to begin.
  ///   - limit: the most change sets.
  /// - Throws: ``PersistenceError/noHistory`` if the store keeps no history.
  public func changes(
    since token: HistoryToken, limit: Int = .max
  ) async throws(PersistenceError) -> HistoryChanges {
    try await newContext().perform { try $0.changes(since: token, limit: limit) }
  }
}
