import GRDBSQLite

/// A prepared UPSERT in a loop, one row at a time, on the C API: the yardstick for imports.
public final class RawUpsert {
  public struct Failure: Error { public let message: String }

  private var handle: OpaquePointer?
  private var statement: OpaquePointer?

  public init(path: String) throws {
    try check(sqlite3_open_v2(path, &handle, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, nil))
    try execute("PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA journal_size_limit=16777216")
    try execute("PRAGMA cache_size=-8000")
    try execute(
      """
      CREATE TABLE IF NOT EXISTS movie(
        id INTEGER PRIMARY KEY, title TEXT NOT NULL, popularity REAL, remoteID INTEGER NOT NULL UNIQUE,
        overview TEXT NOT NULL, released TEXT NOT NULL, votes INTEGER NOT NULL, version INTEGER NOT NULL DEFAULT 1)
      """)
    let sql = """
      INSERT INTO movie(title,popularity,remoteID,overview,released,votes) VALUES(?,?,?,?,?,?)
      ON CONFLICT(remoteID) DO UPDATE SET title=excluded.title,popularity=excluded.popularity,
        overview=excluded.overview,released=excluded.released,votes=excluded.votes,version=version+1
      """
    try check(sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil))
  }

  deinit {
    sqlite3_finalize(statement)
    sqlite3_close_v2(handle)
  }

  /// All rows in one transaction; texts are bound without a copy.
  public func upsert(_ count: Int, _ make: (Int) -> RawStore.Movie) throws {
    try execute("BEGIN IMMEDIATE")
    for index in 0..<count {
      var movie = make(index)
      if let popularity = movie.2 {
        try check(sqlite3_bind_double(statement, 2, popularity))
      } else {
        try check(sqlite3_bind_null(statement, 2))
      }
      try check(sqlite3_bind_int64(statement, 3, movie.3))
      try check(sqlite3_bind_int64(statement, 6, movie.6))
      try movie.1.withUTF8 { title in
        try movie.4.withUTF8 { overview in
          try movie.5.withUTF8 { released in
            try bind(1, title)
            try bind(4, overview)
            try bind(5, released)
            let code = sqlite3_step(statement)
            sqlite3_reset(statement)
            try check(code)
          }
        }
      }
    }
    try execute("COMMIT")
  }

  private func execute(_ sql: String) throws { try check(sqlite3_exec(handle, sql, nil, nil, nil)) }

  private func bind(_ index: Int32, _ bytes: UnsafeBufferPointer<UInt8>) throws {
    try bytes.withMemoryRebound(to: CChar.self) {
      try check(sqlite3_bind_text(statement, index, $0.baseAddress, Int32($0.count), nil))
    }
  }

  private func check(_ code: Int32) throws {
    guard code == SQLITE_OK || code == SQLITE_DONE || code == SQLITE_ROW else {
      throw Failure(message: String(cString: sqlite3_errmsg(handle)))
    }
  }
}
