import GRDBSQLite

extension RawStore {
  /// id, title, score, day, kind, notes, artist.
  public typealias Track = (Int64, String, Int64, Int64, Int64, String, Int64)

  /// The settings of a store of ours, foreign keys among them.
  public func createTracks() throws {
    try execute(
      """
      PRAGMA cache_size=-8000;
      PRAGMA foreign_keys=ON;
      CREATE TABLE artist(id INTEGER PRIMARY KEY, name TEXT NOT NULL);
      CREATE INDEX artist_name ON artist(name);
      CREATE TABLE track(
        id INTEGER PRIMARY KEY, title TEXT NOT NULL, score INTEGER NOT NULL, day INTEGER NOT NULL,
        kind INTEGER NOT NULL, notes TEXT NOT NULL,
        artist INTEGER REFERENCES artist(id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED);
      CREATE INDEX track_title ON track(title);
      CREATE INDEX track_score ON track(score);
      CREATE INDEX track_day ON track(day);
      CREATE INDEX track_kind_day ON track(kind, day);
      CREATE INDEX track_artist ON track(artist);
      """)
  }

  /// Artists and their tracks, one row per statement execution, in one transaction; texts are bound without a copy.
  public func insertTracks(
    artists: Range<Int>, each: Int, name: (Int) -> String, _ make: (Int) -> Track
  ) throws {
    let artist = try prepared("INSERT INTO artist(id,name) VALUES(?,?)")
    let statement = try prepared("INSERT INTO track(id,title,score,day,kind,notes,artist) VALUES(?,?,?,?,?,?,?)")
    try run(prepared("BEGIN IMMEDIATE"))
    for number in artists {
      try check(sqlite3_bind_int64(artist, 1, Int64(number + 1)))
      var name = name(number)
      try name.withUTF8 {
        try bind(artist, 2, $0)
        try run(artist)
      }
      for index in (number * each)..<((number + 1) * each) {
        var track = make(index)
        try check(sqlite3_bind_int64(statement, 1, track.0))
        try check(sqlite3_bind_int64(statement, 3, track.2))
        try check(sqlite3_bind_int64(statement, 4, track.3))
        try check(sqlite3_bind_int64(statement, 5, track.4))
        try check(sqlite3_bind_int64(statement, 7, track.6))
        try track.1.withUTF8 { title in
          try track.5.withUTF8 { notes in
            try bind(statement, 2, title)
            try bind(statement, 6, notes)
            try run(statement)
          }
        }
      }
    }
    try run(prepared("COMMIT"))
  }

  /// The tracks that a statement finds, as tuples.
  public func tracks(_ sql: String, _ arguments: [Int64]) throws -> [Track] {
    let statement = try prepared(sql)
    for (index, value) in arguments.enumerated() {
      try check(sqlite3_bind_int64(statement, Int32(index + 1), value))
    }
    return try tracks(of: statement)
  }

  /// The tracks that a statement finds by a text.
  public func tracks(_ sql: String, _ argument: String) throws -> [Track] {
    let statement = try prepared(sql)
    var argument = argument
    return try argument.withUTF8 {
      try bind(statement, 1, $0)
      return try tracks(of: statement)
    }
  }

  private func tracks(of statement: OpaquePointer?) throws -> [Track] {
    defer { sqlite3_reset(statement) }
    var tracks: [Track] = []
    while true {
      let code = sqlite3_step(statement)
      guard code == SQLITE_ROW else {
        try check(code)
        return tracks
      }
      tracks.append(
        (
          sqlite3_column_int64(statement, 0), text(statement, 1), sqlite3_column_int64(statement, 2),
          sqlite3_column_int64(statement, 3), sqlite3_column_int64(statement, 4), text(statement, 5),
          sqlite3_column_int64(statement, 6)
        ))
    }
  }

  /// The first columns, ids and names, of what a statement finds.
  public func artists(_ sql: String, _ arguments: [Int64]) throws -> [(Int64, String)] {
    let statement = try prepared(sql)
    for (index, value) in arguments.enumerated() {
      try check(sqlite3_bind_int64(statement, Int32(index + 1), value))
    }
    defer { sqlite3_reset(statement) }
    var artists: [(Int64, String)] = []
    while true {
      let code = sqlite3_step(statement)
      guard code == SQLITE_ROW else {
        try check(code)
        return artists
      }
      artists.append((sqlite3_column_int64(statement, 0), text(statement, 1)))
    }
  }

  /// One album with tracks, which a foreign key deletes with it.
  public func createAlbum(of count: Int, title: (Int) -> String) throws {
    try execute(
      """
      PRAGMA cache_size=-8000;
      PRAGMA foreign_keys=ON;
      CREATE TABLE album(id INTEGER PRIMARY KEY, name TEXT NOT NULL);
      CREATE TABLE albumTrack(
        id INTEGER PRIMARY KEY, title TEXT NOT NULL,
        album INTEGER REFERENCES album(id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED);
      CREATE INDEX albumTrack_album ON albumTrack(album);
      INSERT INTO album VALUES(1,'');
      """)
    let statement = try prepared("INSERT INTO albumTrack(title,album) VALUES(?,1)")
    try run(prepared("BEGIN IMMEDIATE"))
    for index in 0..<count {
      var title = title(index)
      try title.withUTF8 {
        try bind(statement, 1, $0)
        try run(statement)
      }
    }
    try run(prepared("COMMIT"))
  }

  public func deleteAlbum() throws { try execute("DELETE FROM album WHERE id=1") }
}
