extension ObjectSpace {
  /// Returns a token for the position in the store's history that corresponds to the data fetched in this closure.
  /// Changes that are committed later come after this position.
  ///
  /// - Throws: ``PersistenceError/noHistory`` if the store records no history. See ``StoreConfiguration/history``.
  public func historyToken() throws(PersistenceError) -> HistoryToken {
    try reading { () throws(PersistenceError) in
      try beginReading()
      return try HistoryLog(connection, schema).token()
    }
  }

  /// Returns the changes that any context or process has committed since a token.
  ///
  /// ```swift
  /// let next = try await context.perform { objects in
  ///   switch try objects.changes(since: token) {
  ///   case .changes(let changes, let next):
  ///     for change in changes { show(change) }
  ///     return next
  ///   case .expired(let now):
  ///     showAll(try objects.fetch(Movie.self).map(\.title))
  ///     return now
  ///   }
  /// }
  /// ```
  ///
  /// All returned change sets are in memory at the same time, so use `limit` if there can be many. To get the next
  /// change sets, call this method again with the returned token.
  ///
  /// - Parameters:
  ///   - token: The token after which the returned changes begin.
  ///   - limit: The maximum number of change sets to return.
  /// - Throws: ``PersistenceError/noHistory`` if the store records no history.
  public func changes(since token: HistoryToken, limit: Int = .max) throws(PersistenceError) -> HistoryChanges {
    try reading { () throws(PersistenceError) in
      try beginReading()
      return try HistoryLog(connection, schema).changes(since: token, limit: limit)
    }
  }
}
