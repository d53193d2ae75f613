import GRDB

extension GRDBStore {
  /// How many tracks statements find that are kept, one for each list of arguments, within one read.
  public func tracks(_ sql: String, _ arguments: [StatementArguments]) throws -> Int {
    try pool.read { database in
      let statement = try database.cachedStatement(sql: sql)
      var found = 0
      for arguments in arguments {
        found += try HandWrittenTrack.fetchAll(statement, arguments: arguments).count
      }
      return found
    }
  }

  /// The same of artists.
  public func artists(_ sql: String, _ arguments: [StatementArguments]) throws -> Int {
    try pool.read { database in
      let statement = try database.cachedStatement(sql: sql)
      var found = 0
      for arguments in arguments {
        found += try HandWrittenArtist.fetchAll(statement, arguments: arguments).count
      }
      return found
    }
  }

  /// By texts.
  public func tracks(_ sql: String, texts: [String]) throws -> Int { try tracks(sql, texts.map { [$0] }) }

  /// By numbers, so many for each.
  public func tracks(_ sql: String, numbers: [[Int64]]) throws -> Int {
    try tracks(sql, numbers.map { StatementArguments($0) })
  }

  /// By numbers, so many for each.
  public func artists(_ sql: String, numbers: [[Int64]]) throws -> Int {
    try artists(sql, numbers.map { StatementArguments($0) })
  }

  /// Tracks by the names of their artists, by the query interface.
  public func tracks(ofArtistsNamed names: [String]) throws -> Int {
    try pool.read { database in
      var found = 0
      for name in names {
        let artist = HandWrittenTrack.artist.filter(Column("name") == name)
        found += try HandWrittenTrack.joining(required: artist).fetchAll(database).count
      }
      return found
    }
  }
}
