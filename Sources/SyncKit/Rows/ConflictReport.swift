/// A value that a merge gave up. It is kept until the app takes it.
package struct ConflictReport: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    /// Both sides changed an attribute. The base is nil if it is not known.
    case attribute(Int, base: SyncValue?, mine: SyncValue, theirs: SyncValue)
    /// The row was changed here and deleted there. These are its values here.
    case deletedThere(Fields)
    /// The row was deleted here and changed there. These are its values there.
    case deletedHere(Fields)
    /// The server erased the row, and with it what was changed here.
    case erased
  }

  package var row: RowID
  package var key: SyncKey?
  package var kind: Kind
  package var choice: Choice

  package typealias Choice = ConflictPolicy.Choice

  package init(row: RowID, key: SyncKey?, kind: Kind, choice: Choice) {
    (self.row, self.key, self.kind, self.choice) = (row, key, kind, choice)
  }
}

/// What becomes of a conflict. Whichever side is chosen, a ``SyncConflict`` keeps what was given up.
public struct ConflictPolicy: Hashable, Sendable {
  /// The side whose value stays.
  public enum Choice: Hashable, Sendable {
    /// This store.
    case mine
    /// The server.
    case theirs
  }

  /// An attribute that both sides changed. The server's by default.
  public var attribute = Choice.theirs
  /// An object that was changed here and deleted there: it is deleted by default. With ``Choice/mine``, it becomes a
  /// new one.
  public var deletedThere = Choice.theirs
  /// An object that was deleted here and changed there: it is deleted by default.
  public var deletedHere = Choice.mine

  /// Creates the default policy.
  public init() {}
}
