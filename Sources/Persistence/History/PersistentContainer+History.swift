extension PersistentContainer {
  /// Returns the current position in the store's history. For the position of fetched data, call
  /// ``ObjectSpace/historyToken()`` in the closure that fetches it.
  ///
  /// - Throws: ``PersistenceError/noHistory`` if the store records no history. See ``StoreConfiguration/history``.
  public func historyToken() async throws(PersistenceError) -> HistoryToken {
    try await newContext().perform { try $0.historyToken() }
  }

  /// Returns the changes that any context or process has committed since a token. See
  /// ``ObjectSpace/changes(since:limit:)``.
  ///
  /// - Parameters:
  ///   - token: The position to start from.
  ///   - limit: The maximum number of change sets.
  /// - Throws: ``PersistenceError/noHistory`` if the store records no history.
  public func changes(
    since token: HistoryToken, limit: Int = .max
  ) async throws(PersistenceError) -> HistoryChanges {
    try await newContext().perform { try $0.changes(since: token, limit: limit) }
  }
}
