internal import CLarderSQLite

extension Connection {
  /// Opens a database. Every connection is opened with this method, so that it has the settings described below.
  ///
  /// Automatic checkpoints are turned off. SQLite could otherwise run one while another connection runs a checkpoint,
  /// which can lose commits in SQLite versions up to 3.51.2 (see ``CheckpointGuard``). SQLite also runs a checkpoint
  /// when the last connection is closed. This checkpoint is safe, because SQLite first locks the file exclusively,
  /// which is possible only if no other connection is using the log.
  ///
  /// Two settings have different defaults in Apple's SQLite, so this method sets them explicitly. First, the log is
  /// deleted when the last connection is closed, although Apple's SQLite would keep it. Second, checkpoints wait until
  /// the drive has stored the data, as they already do by default in Apple's SQLite. If checkpoints did not wait, a
  /// power loss on an Apple platform could leave a store corrupt, whatever its ``Durability``. On other platforms, the
  /// second setting has no effect.
  static func open(_ name: String, _ flags: Int32, vfs: String?) throws(PersistenceError) -> OpaquePointer {
    var opened: OpaquePointer?
    let code = sqlite3_open_v2(name, &opened, flags | SQLITE_OPEN_NOMUTEX, vfs)
    guard code == SQLITE_OK, let opened else {
      let error = DatabaseError(opened, fallback: code, sql: nil)
      sqlite3_close_v2(opened)
      throw PersistenceError(error)
    }
    sqlite3_wal_autocheckpoint(opened, 0)
    var keepsLog: Int32 = 0
    sqlite3_file_control(opened, "main", SQLITE_FCNTL_PERSIST_WAL, &keepsLog)
    sqlite3_exec(opened, "PRAGMA checkpoint_fullfsync=1", nil, nil, nil)
    return opened
  }

  /// Announces a connection and opens it. Also returns its number, or nil if no container is open yet.
  static func enter(
    _ place: StorePlace, _ configuration: StoreConfiguration, as name: String, _ flags: Int32
  ) throws(PersistenceError) -> (handle: OpaquePointer, member: Int?) {
    guard let suspension = configuration.suspension else {
      return (try open(name, flags, vfs: configuration.vfs?.name), nil)
    }
    let member = try PersistenceError.enter(suspension)
    do throws(PersistenceError) {
      guard suspension.hasFilesInPlace else { throw StoreFile.failure(.moved, place) }
      return (try open(name, flags, vfs: configuration.vfs?.name), member)
    } catch {
      suspension.leave(member)
      throw error
    }
  }

  func checkOwner(_ place: StorePlace) throws(PersistenceError) { try Connection.checkOwner(of: handle, place) }

  /// Waits two milliseconds.
  static func pause(_ database: OpaquePointer) { BusyWait.pause(database, milliseconds: 2) }

  /// Rejects a database of another program, before any setting changes it.
  static func checkOwner(of database: OpaquePointer, _ place: StorePlace) throws(PersistenceError) {
    let application = try Statement("PRAGMA application_id", on: database).integer() ?? 0
    if application == StoreFormat.applicationID { return }
    // An empty file is about to become a store, perhaps by another process at this moment.
    let contents = try Statement("SELECT count(*) FROM sqlite_master", on: database).integer() ?? 0
    let version = try Statement("PRAGMA user_version", on: database).integer() ?? 0
    if application == 0 && contents == 0 && version == 0 {
      if !place.isURI && StoreFile.isOneByte(place.name) { throw StoreFile.failure(.notADatabase, place) }
      return
    }
    if try Statement("PRAGMA application_id", on: database).integer() == StoreFormat.applicationID { return }
    throw StoreFile.failure(.notAStore, place)
  }

  /// Whether the file of a connection that SQLite reports as corrupt is shorter than its header says.
  ///
  /// It is read through SQLite's file handle: opening and closing the file separately would release the locks that this
  /// process holds on it.
  static func isTruncated(_ database: OpaquePointer) -> Bool {
    var file: UnsafeMutablePointer<sqlite3_file>?
    guard sqlite3_file_control(database, "main", SQLITE_FCNTL_FILE_POINTER, &file) == SQLITE_OK, let file,
      let methods = file.pointee.pMethods?.pointee, let fileSize = methods.xFileSize, let read = methods.xRead
    else { return false }
    var size: sqlite3_int64 = 0
    guard fileSize(file, &size) == SQLITE_OK, size > 0 else { return false }
    var header = [UInt8](repeating: 0, count: 100)
    // SQLite fills the missing part of a short file with zeros.
    let code = read(file, &header, 100, 0)
    let magic = Array("SQLite format 3\u{0}".utf8)
    guard code == SQLITE_OK || size < 100 else { return false }
    let known = min(Int(size), magic.count)
    guard header[..<known] == magic[..<known] else { return false }
    if size < 100 { return true }
    let word = { (at: Int) in header[at..<at + 4].reduce(0) { $0 << 8 | Int64($1) } }
    let pageSize = header[16] == 0 && header[17] == 1 ? 65_536 : Int64(header[16]) << 8 | Int64(header[17])
    // The page count is valid only if it was written with the last change.
    return pageSize > 0 && (size % pageSize != 0 || word(24) == word(92) && word(28) * pageSize > size)
  }
}
