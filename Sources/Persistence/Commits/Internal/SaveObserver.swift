/// Follows the saves of a space from outside of the save, as the store's history and undo do. All calls come in the
/// space's isolation. Until the transaction ends, calls that can throw may also write through its connection.
///
///     interest ─► willCommit ─► committed
///         └───────────┴──────► rolledBack
///
/// It is not called for each write. What needs the values from before a write installs triggers, which also see other
/// programs, except for rows that their `REPLACE` removes.
protocol SaveObserver: AnyObject {
  /// What the observer needs to know of the changes. Asked when a write transaction has begun, before anything is
  /// written.
  func interest(in connection: Connection) throws(PersistenceError) -> SaveInterest

  /// Receives all changes of the transaction before the commit, or nil if no one wants to know them.
  ///
  /// - Returns: The commit's number in the store's history, if the observer records that.
  func willCommit(_ changes: ChangeSet?) throws(PersistenceError) -> Int64?

  /// Receives the changes of a commit, also those that only others wanted.
  func committed(_ changes: ChangeSet?)

  /// The transaction was rolled back, or it is unknown whether it was committed. So it is after a preview, which does
  /// everything before `willCommit`, after a closure without changes, and also if this observer was not asked yet.
  func rolledBack()

  /// All objects and changes of the context are discarded.
  func reset()
}

extension SaveObserver {
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
}
