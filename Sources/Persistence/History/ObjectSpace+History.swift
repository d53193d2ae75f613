extension ObjectSpace {
  /// The place in the store's history of what is fetched in this closure: what is committed later comes after it.
  ///
  /// - Throws: ``PersistenceError/noHistory`` if the store keeps none, see ``StoreConfiguration/history``.
  public func historyToken() throws(PersistenceError) -> HistoryToken {
    try reading { () throws(PersistenceError) in
      try beginReading()
      return try history.token()
    }
  }

  /// What has been committed since a token was taken, by whomever.
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
  /// All change sets are in memory at once; `limit` says how many there may be, and asking again with the token that
  /// comes with them gives the following ones.
  ///
  /// - Parameters:
  ///   - token: where to begin.
  ///   - limit: the most change sets.
  /// - Throws: ``PersistenceError/noHistory`` if the store keeps no history.
  public func changes(since token: HistoryToken, limit: Int = .max) throws(PersistenceError) -> HistoryChanges {
    try reading { () throws(PersistenceError) in
      try beginReading()
      return try history.changes(since: token, limit: limit)
    }
  }
}
