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

  package enum Choice: Hashable, Sendable { case mine, theirs }

  package init(row: RowID, key: SyncKey?, kind: Kind, choice: Choice) {
    (self.row, self.key, self.kind, self.choice) = (row, key, kind, choice)
  }
}

/// What becomes of a conflict.
package struct ConflictPolicy: Hashable, Sendable {
  /// An attribute that both sides changed.
  package var attribute = ConflictReport.Choice.theirs
  /// A row that was changed here and deleted there. Mine makes it a new row.
  package var deletedThere = ConflictReport.Choice.theirs
  /// A row that was deleted here and changed there.
  package var deletedHere = ConflictReport.Choice.mine

  package init() {}
}
