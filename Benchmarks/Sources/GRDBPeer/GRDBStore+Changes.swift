import GRDB

extension GRDBStore {
  public struct Missing: Error { public let id: Int64 }

  /// Changes one attribute of every record in one transaction. `timed` is given the changes, without the reading
  /// before.
  public func changeAll(votes: Int64, timed: (() throws -> Void) throws -> Double) throws -> Double {
    let movies = try pool.read { try HandWrittenMovie.fetchAll($0) }
    return try timed {
      try pool.write { database in
        for var movie in movies { try movie.updateChanges(database) { $0.votes = votes } }
      }
    }
  }

  /// What becomes of a record.
  public enum Change {
    case none, delete
    case update((inout HandWrittenMovie) -> Void)
  }

  /// Changes or deletes records in one transaction. `timed` is given the changes, without the reading before.
  public func changeEach(
    timed: (() throws -> Void) throws -> Double, by change: @escaping (HandWrittenMovie) -> Change
  ) throws -> Double {
    let movies = try pool.read { try HandWrittenMovie.fetchAll($0) }
    return try timed {
      try pool.write { database in
        for var movie in movies {
          switch change(movie) {
          case .none: break
          case .delete: try movie.delete(database)
          case .update(let set): try movie.updateChanges(database) { set(&$0) }
          }
        }
      }
    }
  }

  /// Deletes every record in one transaction.
  public func deleteAll(timed: (() throws -> Void) throws -> Double) throws -> Double {
    let movies = try pool.read { try HandWrittenMovie.fetchAll($0) }
    return try timed {
      try pool.write { database in
        for movie in movies { try movie.delete(database) }
      }
    }
  }

  public func count() throws -> Int { try pool.read { try HandWrittenMovie.fetchCount($0) } }

  public func sumOfVotes() throws -> Int64 {
    try pool.read { try Int64.fetchOne($0, sql: "SELECT coalesce(sum(votes),0) FROM movie") ?? 0 }
  }

  /// One record changed by SQL that is prepared once, as its documentation advises for speed.
  public func changeOne(_ id: Int64, votes: Int64) async throws {
    try await pool.write { database in
      let read = try database.cachedStatement(sql: "SELECT * FROM movie WHERE id=?")
      guard try HandWrittenMovie.fetchOne(read, arguments: [id]) != nil else { throw Missing(id: id) }
      try database.cachedStatement(sql: "UPDATE movie SET votes=? WHERE id=?").execute(arguments: [votes, id])
    }
  }
}
