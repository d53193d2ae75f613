internal import Foundation

/// The history of a store, as one connection reads and writes it.
///
///     _larder_history  number   of the commit, without gaps
///                      tag      random, for a token to be told from one of another store
///                      total    the bytes of all commits up to this one, also of those that are forgotten
///                      changes  see `ChangeSetEncoder`
///
/// The fact "history" of the store says how many bytes are kept; without it there is no history. While there is one,
/// its last commit is never forgotten: one of nobody is written when it begins.
final class HistoryLog {
  private let connection: Connection
  private let schema: Schema
  /// How many bytes are kept, as of the data version; nil for no history.
  private var limit: Int?
  private var dataVersion: UInt32?

  static let table = "_larder_history"
  /// What a commit takes besides its changes.
  private static let overhead: Int64 = 64

  init(_ connection: Connection, _ schema: Schema) {
    self.connection = connection
    self.schema = schema
  }

  // Settings

  /// Begins a history, or ends it, if that is wanted and not so already.
  func apply(_ policy: HistoryPolicy) throws(PersistenceError) {
    let stored = try storedLimit()
    switch policy {
    case .asStored: return
    case .kept(let bytes): if stored == max(0, bytes) { return }
    case .off: if stored == nil { return }
    }
    try connection.beginWriting()
    do throws(PersistenceError) {
      switch policy {
      case .asStored: break
      case .kept(let bytes): try begin(keeping: max(0, bytes))
      case .off: try end()
      }
      try connection.commit()
    } catch {
      connection.rollback()
      throw error
    }
  }

  /// After everything may have changed. It is part of the transaction that is open.
  func restart() throws(PersistenceError) {
    if try storedLimit() != nil { try forgetAll() }
  }

  private func begin(keeping limit: Int) throws(PersistenceError) {
    let isNew = try storedLimit() == nil
    try connection.execute(
      "CREATE TABLE IF NOT EXISTS \(HistoryLog.table)(number INTEGER PRIMARY KEY,tag INTEGER NOT NULL,"
        + "total INTEGER NOT NULL,changes BLOB NOT NULL)")
    let meta = try connection.statement(
      "INSERT INTO \(StoreFormat.meta) VALUES('history',?1) ON CONFLICT(name) DO UPDATE SET value=?1")
    try meta.bind([.text(String(limit))])
    try meta.run()
    if isNew { try forgetAll() } else { try forget(beyond: limit) }
  }

  private func end() throws(PersistenceError) {
    try forgetAll()
    try connection.execute("DELETE FROM \(StoreFormat.meta) WHERE name='history'")
  }

  /// Numbers go on, so that nobody takes new commits for old ones. The one that is left says nothing of what has
  /// changed, which means that anything may have.
  private func forgetAll() throws(PersistenceError) {
    let last = try last()
    try insert((last?.number ?? 0) &+ 1, last?.total ?? 0, Data())
    let delete = try connection.statement("DELETE FROM \(HistoryLog.table) WHERE number<=?1")
    try delete.bind([.integer(last?.number ?? 0)])
    try delete.run()
  }

  private func storedLimit() throws(PersistenceError) -> Int? {
    let statement = try connection.statement("SELECT value FROM \(StoreFormat.meta) WHERE name='history'")
    var limit: Int?
    while try statement.step() { limit = Int(statement.text(0)) ?? 0 }
    return limit
  }

  // Writing

  /// Whether what the open writer's transaction changes is to be recorded. It costs next to nothing unless somebody
  /// else has committed since the last time.
  func isKept() throws(PersistenceError) -> Bool {
    let version = connection.dataVersion
    if version == nil || version != dataVersion {
      limit = try storedLimit()
      dataVersion = version
    }
    return limit != nil
  }

  /// Records what the open transaction has changed, and tells the commit's number; nil if there is no history.
  func append(_ changes: ChangeSet) throws(PersistenceError) -> Int64? {
    guard let limit, let last = try last() else { return nil }
    // A damaged file may hold any number.
    let data = ChangeSetEncoder.encode(changes, atMost: max(0, limit))
    try insert(last.number &+ 1, last.total &+ Int64(data.count) &+ HistoryLog.overhead, data)
    try forget(beyond: limit)
    return last.number &+ 1
  }

  /// After the commit of a transaction of this connection.
  func committed() { dataVersion = connection.dataVersion }

  private func insert(_ number: Int64, _ total: Int64, _ data: Data) throws(PersistenceError) {
    let statement = try connection.statement("INSERT INTO \(HistoryLog.table) VALUES(?1,?2,?3,?4)")
    try statement.bind([
      .integer(number), .integer(.random(in: .min ... .max)), .integer(total), .blob(data),
    ])
    try statement.run()
  }

  private func forget(beyond limit: Int) throws(PersistenceError) {
    guard let last = try last() else { return }
    let floor = last.total &- Int64(limit)
    let first = try connection.statement("SELECT number,total FROM \(HistoryLog.table) ORDER BY number LIMIT 1")
    let delete = try connection.statement("DELETE FROM \(HistoryLog.table) WHERE number=?1")
    while true {
      guard try first.step() else { return }
      let (number, total) = (first.int64(0), first.int64(1))
      first.reset()
      guard number < last.number, total <= floor else { return }
      try delete.bind([.integer(number)])
      try delete.run()
    }
  }

  // Reading

  struct Entry {
    let number: Int64
    let tag: Int64
    let total: Int64
  }

  private func last() throws(PersistenceError) -> Entry? { try entry("ORDER BY number DESC LIMIT 1") }

  private func entry(_ which: String, _ number: Int64? = nil) throws(PersistenceError) -> Entry? {
    let statement = try connection.statement("SELECT number,tag,total FROM \(HistoryLog.table) \(which)")
    if let number { try statement.bind([.integer(number)]) }
    guard try statement.step() else { return nil }
    defer { statement.reset() }
    return Entry(number: statement.int64(0), tag: statement.int64(1), total: statement.int64(2))
  }

  func token() throws(PersistenceError) -> HistoryToken {
    guard try storedLimit() != nil, let last = try last() else { throw .noHistory }
    return HistoryToken(number: last.number, tag: last.tag)
  }

  func changes(since token: HistoryToken, limit: Int) throws(PersistenceError) -> HistoryChanges {
    let now = try self.token()
    // The commit itself must be there still: only then nothing behind it can be missing, and it is this store's.
    guard try entry("WHERE number=?1", token.number)?.tag == token.tag else { return .expired(now: now) }
    var next = token
    var sets: [ChangeSet] = []
    let statement = try connection.statement(
      "SELECT number,tag,changes FROM \(HistoryLog.table) WHERE number>?1 ORDER BY number LIMIT ?2")
    try statement.bind([.integer(token.number), .integer(Int64(max(0, limit)))])
    while try statement.step() {
      next = HistoryToken(number: statement.int64(0), tag: statement.int64(1))
      sets.append(ChangeSetDecoder.decode(statement.data(2), schema))
    }
    return .changes(sets, next: next)
  }

  /// The number of the last commit; 0 for none.
  func position() throws(PersistenceError) -> Int64 {
    try storedLimit() == nil ? 0 : last()?.number ?? 0
  }

  /// Those between one that was seen and one that is about to be committed, if there are any.
  func foreign(after seen: Int64, to number: Int64?) -> [ChangeSet] {
    guard let number else { return [] }
    do {
      return try unseen(after: seen, to: number)?.sets ?? []
    } catch {
      // They cannot be read, which does not keep this one from being committed.
      return [ChangeSet(everythingOf: schema)]
    }
  }

  /// The commits behind one that was seen, up to another, and the number of the last. In place of those that are not
  /// told, for whatever reason, there is one that says that anything may have changed. Nil if there is no history.
  func unseen(after seen: Int64, to end: Int64 = .max) throws(PersistenceError) -> (sets: [ChangeSet], last: Int64)? {
    guard try storedLimit() != nil else { return nil }
    let unknown = ChangeSet(everythingOf: schema)
    var last = seen
    var sets: [ChangeSet] = []
    let statement = try connection.statement(
      "SELECT number,changes FROM \(HistoryLog.table) WHERE number>?1 AND number<?2 ORDER BY number")
    try statement.bind([.integer(seen), .integer(end)])
    while try statement.step() {
      let number = statement.int64(0)
      if number != last &+ 1 { sets.append(unknown) }
      last = number
      sets.append(ChangeSetDecoder.decode(statement.data(1), schema))
    }
    // The commit at the end may have had those before it forgotten.
    if end != .max, last &+ 1 != end { sets.append(unknown) }
    return (sets, last)
  }
}
