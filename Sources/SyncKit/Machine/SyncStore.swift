/// What the machine reads and writes: the rows, and what it has to remember about them. All calls for one event are in
/// one transaction.
package protocol SyncStore {
  /// Returns a row that is here, or one that was deleted and still has to be sent or settled.
  func row(_ id: RowID) throws -> SyncRow?
  /// Looks for the rows of a page at once, before each is looked for.
  mutating func prefetch(_ names: [RemoteName]) throws
  /// Returns the row that the server calls by this name.
  func find(_ key: SyncKey, in entity: Int) throws -> RowID?
  /// Returns the row whose object has the value of a unique attribute.
  func holder(of value: SyncValue, _ attribute: Int, in entity: Int) throws -> RowID?
  /// Writes a row. One that is gone is removed.
  mutating func put(_ row: SyncRow) throws
  /// Inserts rows that the server has and this store does not. References are resolved, and attributes that a row does
  /// not name have their defaults.
  mutating func insert(_ rows: [RemoteRow], in entity: Int) throws -> [RowID]

  /// Makes a key for a row of a class whose keys the app makes.
  mutating func makeKey(in entity: Int) throws -> SyncKey

  /// Some of the rows that may have changes, by class and number: the next ones after a row, or from the first one on.
  func changed(after id: RowID?) throws -> [RowID]
  /// The rows that are in flight, by class and number.
  func inFlight() throws -> [RowID]
  /// The rows of a class that are in flight to be created.
  func creations(in entity: Int) throws -> [RowID]
  /// The rows that have to be read again.
  func owed() throws -> [RowID]
  /// The rows with a key, in a range of a page, and their keys.
  func rows(in coverage: Coverage) throws -> [(id: RowID, key: SyncKey)]
  /// The rows that refer to a row, now or as the server last said, and the attribute with which they do.
  func referrers(of id: RowID) throws -> [(row: RowID, attribute: Int)]
  /// The rows that refer to a key that has not arrived.
  func waiting(for key: SyncKey, in entity: Int) throws -> [(row: RowID, attribute: Int)]

  /// The commits that changed a row together with others.
  func ties(of id: RowID) throws -> [Int64]
  /// The rows that a commit changed together.
  func tied(by commit: Int64) throws -> [RowID]
  /// The number of the last commit that tied rows.
  func lastCommit() throws -> Int64
  /// Forgets what a row was changed with, up to a commit.
  mutating func untie(_ id: RowID, upTo commit: Int64) throws

  /// Where the last page of a scope ended.
  func position(of scope: String) throws -> String?
  mutating func setPosition(_ position: String?, of scope: String) throws
  /// A number that was never returned before.
  mutating func nextPush() throws -> Int64
  mutating func report(_ report: ConflictReport) throws
  /// Removes the reports about a row, because the server has erased it.
  mutating func eraseReports(of id: RowID) throws

  /// Rows of the server that may be those that are in flight to be created, until that is settled.
  func arrived(in entity: Int) throws -> [RemoteRow]
  mutating func setArrived(_ rows: [RemoteRow], in entity: Int) throws

  /// The first command of each queue, in the order in which they were enqueued.
  func nextCommands() throws -> [StoredCommand]
  func command(_ id: Int64) throws -> StoredCommand?
  /// The commands that name a row.
  func commands(after row: RowID) throws -> [StoredCommand]
  mutating func put(_ command: StoredCommand) throws
  mutating func removeCommand(_ id: Int64) throws
}

extension SyncStore {
  package mutating func prefetch(_ names: [RemoteName]) {}
}
