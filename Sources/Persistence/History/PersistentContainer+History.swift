extension PersistentContainer {
  /// Returns a token for the current position in the store's history. To get a token that corresponds to fetched data,
  /// call ``ObjectSpace/historyToken()`` in the closure that fetches the data.
  ///
  /// - Throws: ``PersistenceError/noHistory`` if the store records no history. See ``StoreConfiguration/history``.
  public func historyToken() async throws(PersistenceError) -> HistoryToken {
    try await newContext().perform { try $0.historyToken() }
  }

  /// Returns the changes that any context or process has committed since a token. For details, see
  /// ``ObjectSpace/changes(since:limit:)``.
  ///
  /// - Parameters:
  ///   - token: The token after which the returned changes begin.
  ///   - limit: The maximum number of change sets to return.
  /// - Throws: ``PersistenceError/noHistory`` if the store records no history.
  public func changes(
    since token: HistoryToken, limit: Int = .max
  ) async throws(PersistenceError) -> HistoryChanges {
    try await newContext().perform { try $0.changes(since: token, limit: limit) }
  }
}
