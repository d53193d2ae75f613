internal import Foundation

/// The history of a store, read and written through one connection.
///
///     _larder_history  number   of the commit, without gaps
///                      tag      random, to distinguish a token from one of another store
///                      total    the bytes of all commits up to this one, including removed ones
///                      changes  see `ChangeSetEncoder`
///
/// The row `history` of `_larder_meta` contains the maximum number of bytes to keep; without it there is no history.
/// The last commit is never removed while there is a history. When a history begins, it receives an initial entry that
/// belongs to no commit.
struct HistoryLog {
  let connection: Connection
  private let schema: Schema

  static let table = "_larder_history"
  /// The size of a commit in bytes, not counting its changes.
  private static let overhead: Int64 = 64

  init(_ connection: Connection, _ schema: Schema) {
    self.connection = connection
    self.schema = schema
  }

  // Settings

  /// Begins or ends the history if the policy requires a change.
  func apply(_ policy: HistoryPolicy) throws(PersistenceError) {
    let stored = try storedLimit()
    switch policy {
    case .unchanged: return
    case .kept(let bytes): if stored == max(0, bytes) { return }
    case .off: if stored == nil { return }
    }
    try connection.writing { () throws(PersistenceError) in
      switch policy {
      case .unchanged: break
      case .kept(let bytes): try begin(keeping: max(0, bytes))
      case .off: try end()
      }
    }
  }

  /// Discards the recorded changes because everything may have changed. Runs in the open transaction.
  func restart() throws(PersistenceError) {
    if try storedLimit() != nil { try forgetAll() }
  }

  private func begin(keeping limit: Int) throws(PersistenceError) {
    let isNew = try storedLimit() == nil
    try connection.execute(
      "CREATE TABLE IF NOT EXISTS \(HistoryLog.table)(number INTEGER PRIMARY KEY,tag INTEGER NOT NULL,"
        + "total INTEGER NOT NULL,changes BLOB NOT NULL)")
    try connection.setMeta("history", to: String(limit))
    if isNew { try forgetAll() } else { try forget(beyond: limit) }
  }

  private func end() throws(PersistenceError) {
    try forgetAll()
    try connection.execute("DELETE FROM \(StoreFormat.meta) WHERE name='history'")
  }

  /// Discards all entries. Numbering continues, so that no one mistakes new commits for old ones. The single entry that
  /// remains has no changes, which means that anything may have changed.
  private func forgetAll() throws(PersistenceError) {
    let last = try last()
    try insert((last?.number ?? 0) &+ 1, last?.total ?? 0, Data())
    let delete = try connection.statement("DELETE FROM \(HistoryLog.table) WHERE number<=?1")
    try delete.bind([.integer(last?.number ?? 0)])
    try delete.run()
  }

  /// The maximum number of bytes to keep, or nil if there is no history.
  func storedLimit() throws(PersistenceError) -> Int? {
    try connection.meta("history").map { Int($0) ?? 0 }
  }

  // Writing

  /// Records the changes of the open transaction. Returns the commit's number, or nil if the history has no beginning.
  func append(_ changes: ChangeSet, keeping limit: Int) throws(PersistenceError) -> Int64? {
    guard let last = try last() else { return nil }
    // A corrupt file may contain any number.
    let data = ChangeSetEncoder.encode(changes, atMost: max(0, limit))
    try insert(last.number &+ 1, last.total &+ Int64(data.count) &+ HistoryLog.overhead, data)
    try forget(beyond: limit)
    return last.number &+ 1
  }

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
    // The token's commit must still exist. Only then is it known that no later commit is missing, and that it is of
    // this store.
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

  /// The number of the last commit, or 0 if there is none.
  func position() throws(PersistenceError) -> Int64 {
    try storedLimit() == nil ? 0 : last()?.number ?? 0
  }

  /// The number of Larder's commits so far, except those before the history began to count them.
  func count(upTo position: Int64) throws(PersistenceError) -> UInt32 {
    let statement = try connection.statement("SELECT next FROM \(StoreFormat.ids) WHERE entity=''")
    return UInt32(truncatingIfNeeded: position &+ (try statement.integer() ?? 0))
  }

  /// Returns the commits between one that was seen and one that is about to be committed.
  func foreign(after seen: Int64, to number: Int64?) -> [ChangeSet] {
    guard let number else { return [] }
    do {
      return try unseen(after: seen, to: number)?.sets ?? []
    } catch {
      // They cannot be read, but that must not prevent this commit.
      return [ChangeSet(everythingOf: schema)]
    }
  }

  /// Returns the commits after `seen` and before `end`, and the number of the last one. Any missing commits are
  /// represented by a change set that says that anything may have changed. Nil if there is no history.
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
    // The commit at the end may have caused those before it to be removed.
    if end != .max, last &+ 1 != end { sets.append(unknown) }
    return (sets, last)
  }
}
