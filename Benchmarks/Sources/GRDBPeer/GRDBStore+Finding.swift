import GRDB

extension GRDBStore {
  /// Look-ups by the query interface, within one read.
  public func findByQueryInterface(_ remoteIDs: [Int64]) throws -> Int {
    try pool.read { database in
      var found = 0
      for remoteID in remoteIDs {
        if try HandWrittenMovie.filter(Column("remoteID") == remoteID).fetchOne(database) != nil { found += 1 }
      }
      return found
    }
  }

  /// Look-ups by a statement that is kept, within one read.
  public func findByCachedSQL(_ remoteIDs: [Int64]) throws -> Int {
    try pool.read { database in
      let statement = try database.cachedStatement(sql: "SELECT * FROM movie WHERE remoteID=?")
      var found = 0
      for remoteID in remoteIDs {
        if try HandWrittenMovie.fetchOne(statement, arguments: [remoteID]) != nil { found += 1 }
      }
      return found
    }
  }

  /// One read of the pool for each look-up.
  public func findOne(_ remoteID: Int64) async throws -> Bool {
    try await pool.read { try HandWrittenMovie.filter(Column("remoteID") == remoteID).fetchOne($0) != nil }
  }
}
