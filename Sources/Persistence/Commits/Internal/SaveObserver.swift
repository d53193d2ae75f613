/// Follows the saves of a space from outside of the save, as the store's history and undo do. All calls come in the
/// space's isolation. Until the transaction ends, calls that can throw may also write through its connection.
///
///     interest ─► willChange or record, in the order of the writes ─► willCommit ─► committed
///                         └────────────────────────────────────────────────┴──────► rolledBack
protocol SaveObserver: AnyObject {
  /// What the observer needs to know of the changes. Asked when a write transaction has begun, before anything is
  /// written.
  func interest(in connection: Connection) throws(PersistenceError) -> SaveInterest

  /// Called before rows are written or deleted without their objects: by each bulk update, by each class of a deletion
  /// and its cascades, and by each batch of an import. Earlier changes of objects are already written and recorded.
  ///
  /// - Parameters:
  ///   - slots: The slots that may change; all of them before a deletion.
  ///   - rows: A query for the ids, in parentheses. New rows are not among them.
  func willChange(_ slots: SlotSet, of entity: Entity, rows: String) throws(PersistenceError)

  /// Called before pairs of related objects are written or deleted without their objects.
  ///
  /// - Parameter condition: Selects the old pairs that may change.
  func willChangePairs(of join: JoinTable, where condition: String) throws(PersistenceError)

  /// Receives what was written since the last call, with the values from before it: before each of the calls above, and
  /// before the commit. Of rows that were written without their objects, it contains the ids. An order that changes
  /// several times is contained once, with the one from before the transaction.
  func record(_ changes: ChangeSet) throws(PersistenceError)

  /// Receives all changes of the transaction before the commit, or nil if no one wants to know them.
  ///
  /// - Returns: The commit's number in the store's history, if the observer records that.
  func willCommit(_ changes: ChangeSet?) throws(PersistenceError) -> Int64?

  /// Receives the changes of a commit, also those that only others wanted.
  func committed(_ changes: ChangeSet?)

  /// The transaction was rolled back, or it is unknown whether it was committed. So it is after a preview, which runs
  /// everything up to `record`, after a closure without changes, and also if this observer was not asked yet.
  func rolledBack()

  /// All objects and changes of the context are discarded.
  func reset()
}

extension SaveObserver {
  func willChange(_ slots: SlotSet, of entity: Entity, rows: String) {}
  func willChangePairs(of join: JoinTable, where condition: String) {}
  func record(_ changes: ChangeSet) {}
  func willCommit(_ changes: ChangeSet?) -> Int64? { nil }
  func committed(_ changes: ChangeSet?) {}
  func rolledBack() {}
  func reset() {}
}

struct SaveInterest: OptionSet {
  let rawValue: Int

  /// The changed rows, with their old and new values, and the pairs of related objects.
  static let rows = SaveInterest(rawValue: 1)
  /// Also the orders of ordered relationships, which have to be read before they change.
  static let orders = SaveInterest(rawValue: 2)
  /// Each write of the transaction, as it is made. The ids of all rows are recorded, however many they are.
  static let writes = SaveInterest(rawValue: 4)
}
