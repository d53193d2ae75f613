import GRDBSQLite

/// The C API used with care and nothing on top: the yardstick.
///
/// One connection, statements prepared once, every return code checked, rows made into Swift values.
public final class RawStore {
  public struct Failure: Error { public let message: String }

  /// id, title, popularity, remote id, overview, release date, votes.
  public typealias Movie = (Int64, String, Double?, Int64, String, String, Int64)

  private var handle: OpaquePointer?
  private var statements: [String: OpaquePointer] = [:]

  public init(path: String) throws {
    try check(sqlite3_open_v2(path, &handle, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, nil))
    try execute("PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL")
  }

  deinit { close() }

  public func execute(_ sql: String) throws {
    try check(sqlite3_exec(handle, sql, nil, nil, nil))
  }

  public func createMovies() throws {
    try execute(
      """
      CREATE TABLE movie(
        id INTEGER PRIMARY KEY, title TEXT NOT NULL, popularity REAL, remoteID INTEGER NOT NULL,
        overview TEXT NOT NULL, released TEXT NOT NULL, votes INTEGER NOT NULL)
      """)
  }

  public func indexRemoteIDs() throws { try execute("CREATE UNIQUE INDEX movie_remoteID ON movie(remoteID)") }

  /// One row per statement execution, in one transaction; texts are bound without a copy.
  public func insert(_ count: Int, _ make: (Int) -> Movie) throws {
    let statement = try prepared(
      "INSERT INTO movie(id,title,popularity,remoteID,overview,released,votes) VALUES(?,?,?,?,?,?,?)")
    try run(prepared("BEGIN IMMEDIATE"))
    for index in 0..<count {
      var movie = make(index)
      try check(sqlite3_bind_int64(statement, 1, movie.0))
      if let popularity = movie.2 {
        try check(sqlite3_bind_double(statement, 3, popularity))
      } else {
        try check(sqlite3_bind_null(statement, 3))
      }
      try check(sqlite3_bind_int64(statement, 4, movie.3))
      try check(sqlite3_bind_int64(statement, 7, movie.6))
      try movie.1.withUTF8 { title in
        try movie.4.withUTF8 { overview in
          try movie.5.withUTF8 { released in
            try bind(statement, 2, title)
            try bind(statement, 5, overview)
            try bind(statement, 6, released)
            try run(statement)
          }
        }
      }
    }
    try run(prepared("COMMIT"))
  }

  /// All rows by id, as tuples.
  public func movies(in table: String = "movie") throws -> [Movie] {
    let statement = try prepared(
      "SELECT id,title,popularity,remoteID,overview,released,votes FROM \(table) ORDER BY id")
    defer { sqlite3_reset(statement) }
    var movies: [Movie] = []
    while true {
      let code = sqlite3_step(statement)
      guard code == SQLITE_ROW else {
        try check(code)
        return movies
      }
      movies.append(movie(at: statement))
    }
  }

  @inline(__always) func movie(at statement: OpaquePointer?) -> Movie {
    let popularity = sqlite3_column_type(statement, 2) == SQLITE_NULL ? nil : sqlite3_column_double(statement, 2)
    return (
      sqlite3_column_int64(statement, 0), text(statement, 1), popularity, sqlite3_column_int64(statement, 3),
      text(statement, 4), text(statement, 5), sqlite3_column_int64(statement, 6)
    )
  }

  /// Closes the file, whose log is then in it.
  public func close() {
    for statement in statements.values { sqlite3_finalize(statement) }
    statements = [:]
    sqlite3_close_v2(handle)
    handle = nil
  }

  public func count(of table: String = "movie") throws -> Int {
    let statement = try prepared("SELECT count(*) FROM \(table)")
    defer { sqlite3_reset(statement) }
    try check(sqlite3_step(statement))
    return Int(sqlite3_column_int64(statement, 0))
  }

  func prepared(_ sql: String) throws -> OpaquePointer? {
    if let statement = statements[sql] { return statement }
    var statement: OpaquePointer?
    try check(sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil))
    statements[sql] = statement
    return statement
  }

  func run(_ statement: OpaquePointer?) throws {
    let code = sqlite3_step(statement)
    sqlite3_reset(statement)
    try check(code)
  }

  func bind(_ statement: OpaquePointer?, _ index: Int32, _ bytes: UnsafeBufferPointer<UInt8>) throws {
    try bytes.withMemoryRebound(to: CChar.self) {
      try check(sqlite3_bind_text(statement, index, $0.baseAddress, Int32($0.count), nil))
    }
  }

  func text(_ statement: OpaquePointer?, _ column: Int32) -> String {
    guard let bytes = sqlite3_column_text(statement, column) else { return "" }
    let count = Int(sqlite3_column_bytes(statement, column))
    return String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
  }

  func check(_ code: Int32) throws {
    guard code == SQLITE_OK || code == SQLITE_DONE || code == SQLITE_ROW else {
      throw Failure(message: String(cString: sqlite3_errmsg(handle)))
    }
  }
}
