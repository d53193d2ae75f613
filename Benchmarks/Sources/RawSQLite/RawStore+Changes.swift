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

  /// What becomes of a row.
  public enum Change {
    case none, delete
    case votes(Int64)
    case votesAndPopularity(Int64, Double)
    case overview(String)
  }

  /// One statement per row that changes, in one transaction.
  public func change(_ ids: ClosedRange<Int64>, by change: (Int64) -> Change) throws {
    let setVotes = try prepared("UPDATE movie SET votes=?2 WHERE id=?1")
    let setBoth = try prepared("UPDATE movie SET votes=?2,popularity=?3 WHERE id=?1")
    let setOverview = try prepared("UPDATE movie SET overview=?2 WHERE id=?1")
    let delete = try prepared("DELETE FROM movie WHERE id=?1")
    try run(prepared("BEGIN IMMEDIATE"))
    for id in ids {
      switch change(id) {
      case .none: break
      case .delete:
        try check(sqlite3_bind_int64(delete, 1, id))
        try run(delete)
      case .votes(let votes):
        try check(sqlite3_bind_int64(setVotes, 1, id))
        try check(sqlite3_bind_int64(setVotes, 2, votes))
        try run(setVotes)
      case .votesAndPopularity(let votes, let popularity):
        try check(sqlite3_bind_int64(setBoth, 1, id))
        try check(sqlite3_bind_int64(setBoth, 2, votes))
        try check(sqlite3_bind_double(setBoth, 3, popularity))
        try run(setBoth)
      case .overview(var overview):
        try check(sqlite3_bind_int64(setOverview, 1, id))
        try overview.withUTF8 {
          try bind(setOverview, 2, $0)
          try run(setOverview)
        }
      }
    }
    try run(prepared("COMMIT"))
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
