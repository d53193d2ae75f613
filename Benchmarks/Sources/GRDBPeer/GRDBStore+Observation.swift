import GRDB

extension GRDBStore {
  /// Changes the popularity of some records, and waits until an observation of all records, sorted, has delivered. The
  /// mean time in milliseconds.
  public func observeRecords(changes: [[(id: Int64, popularity: Double)]]) async throws -> Double {
    try await observe(changes) {
      try HandWrittenMovie.filter(Column("votes") > 0).order(Column("popularity"), Column("title")).fetchAll($0)
    }
  }

  /// The same of an observation of the ids alone.
  public func observeIDs(changes: [[(id: Int64, popularity: Double)]]) async throws -> Double {
    try await observe(changes) {
      try Int64.fetchAll($0, sql: "SELECT id FROM movie WHERE votes > 0 ORDER BY popularity, title")
    }
  }

  private func observe<Element: Sendable>(
    _ changes: [[(id: Int64, popularity: Double)]], _ fetch: @escaping @Sendable (Database) throws -> [Element]
  ) async throws -> Double {
    let observation = ValueObservation.tracking(fetch)
    var values = observation.values(in: pool).makeAsyncIterator()
    _ = try await values.next()
    let begin = ContinuousClock.now
    for rows in changes {
      try await pool.write { database in
        let update = try database.cachedStatement(sql: "UPDATE movie SET popularity=? WHERE id=?")
        for row in rows { try update.execute(arguments: [row.popularity, row.id]) }
      }
      _ = try await values.next()
    }
    return (ContinuousClock.now - begin) / .milliseconds(1) / Double(changes.count)
  }
}
