import GRDBSQLite

extension RawStore {
  /// One UPDATE per row, in one transaction.
  public func updateVotes(of ids: ClosedRange<Int64>, to votes: Int64) throws {
    let statement = try prepared("UPDATE movie SET votes=?1 WHERE id=?2")
    try run(prepared("BEGIN IMMEDIATE"))
    for id in ids {
      try check(sqlite3_bind_int64(statement, 1, votes))
      try check(sqlite3_bind_int64(statement, 2, id))
      try run(statement)
    }
    try run(prepared("COMMIT"))
  }

  /// One DELETE per row, in one transaction.
  public func delete(_ ids: ClosedRange<Int64>) throws {
    let statement = try prepared("DELETE FROM movie WHERE id=?1")
    try run(prepared("BEGIN IMMEDIATE"))
    for id in ids {
      try check(sqlite3_bind_int64(statement, 1, id))
      try run(statement)
    }
    try run(prepared("COMMIT"))
  }

  /// A transaction around writing.
  public func writing(_ body: () throws -> Void) throws {
    try run(prepared("BEGIN IMMEDIATE"))
    try body()
    try run(prepared("COMMIT"))
  }

  public func change(_ id: Int64, votes: Int64) throws {
    let statement = try prepared("UPDATE movie SET votes=?1 WHERE id=?2")
    try check(sqlite3_bind_int64(statement, 1, votes))
    try check(sqlite3_bind_int64(statement, 2, id))
    try run(statement)
  }

  public func change(_ id: Int64, votes: Int64, popularity: Double) throws {
    let statement = try prepared("UPDATE movie SET votes=?1,popularity=?3 WHERE id=?2")
    try check(sqlite3_bind_int64(statement, 1, votes))
    try check(sqlite3_bind_int64(statement, 2, id))
    try check(sqlite3_bind_double(statement, 3, popularity))
    try run(statement)
  }

  public func change(_ id: Int64, overview: String) throws {
    let statement = try prepared("UPDATE movie SET overview=?1 WHERE id=?2")
    try check(sqlite3_bind_int64(statement, 2, id))
    var overview = overview
    try overview.withUTF8 {
      try bind(statement, 1, $0)
      try run(statement)
    }
  }

  public func deleteOne(_ id: Int64) throws {
    let statement = try prepared("DELETE FROM movie WHERE id=?1")
    try check(sqlite3_bind_int64(statement, 1, id))
    try run(statement)
  }

  /// The row with a unique value, by a statement that is kept.
  public func movie(remoteID: Int64) throws -> Movie? {
    let statement = try prepared(
      "SELECT id,title,popularity,remoteID,overview,released,votes FROM movie WHERE remoteID=?1")
    defer { sqlite3_reset(statement) }
    try check(sqlite3_bind_int64(statement, 1, remoteID))
    let code = sqlite3_step(statement)
    try check(code)
    return code == SQLITE_ROW ? movie(at: statement) : nil
  }

  /// A transaction around reading.
  public func reading<Result>(_ body: () throws -> Result) throws -> Result {
    try run(prepared("BEGIN"))
    let result = try body()
    try run(prepared("COMMIT"))
    return result
  }

  /// Reads one row, changes an attribute of it and commits, in a transaction of its own.
  public func changeOne(_ id: Int64, votes: Int64) throws {
    try run(prepared("BEGIN IMMEDIATE"))
    let statement = try prepared(
      "SELECT id,title,popularity,remoteID,overview,released,votes FROM movie WHERE id=?1")
    try check(sqlite3_bind_int64(statement, 1, id))
    let code = sqlite3_step(statement)
    try check(code)
    let found = code == SQLITE_ROW ? movie(at: statement).0 : nil
    sqlite3_reset(statement)
    guard found == id else { throw Failure(message: "no row \(id)") }
    let update = try prepared("UPDATE movie SET votes=?1 WHERE id=?2")
    try check(sqlite3_bind_int64(update, 1, votes))
    try check(sqlite3_bind_int64(update, 2, id))
    try run(update)
    try run(prepared("COMMIT"))
  }

  public func sumOfVotes() throws -> Int64 {
    let statement = try prepared("SELECT coalesce(sum(votes),0) FROM movie")
    defer { sqlite3_reset(statement) }
    try check(sqlite3_step(statement))
    return sqlite3_column_int64(statement, 0)
  }
}
