/// What happened to a machine.
package enum SyncEvent: Hashable, Sendable {
  /// The process was started. Whatever was in flight has an unknown outcome.
  case started
  /// Rows were changed here.
  case changed
  /// It is time to look for changes of the server, in all scopes.
  case poll
  /// It is time to read all scopes from the beginning.
  case reconcile
  /// A moment that the machine asked for has come, or any other.
  case woke

  case pulled(request: Int, Page)
  case fetched(request: Int, rows: [RemoteRow], missing: [RemoteName])
  /// A request failed, without any effect.
  case failed(request: Int, RemoteFailure)
  /// The server does not know where a list continues.
  case unknownPosition(request: Int)

  /// What became of rows of a push. Those of an atomic one are recorded together.
  case recorded(push: Int64, [RowID: Outcome])
  /// The rows whose creation has no answer, and those of them that the server has.
  case found(push: Int64, of: [RowID], [RowID: RemoteRow])
  /// The app says that most rows of a scope may be absent.
  case trusted(scope: String)
  /// The app wants a rejected row to be sent again as it is.
  case retry(RowID)
  /// The app gives up what a held row waits with.
  case discard(RowID)
  /// The app knows what became of an unconfirmed row: the server has it as it is here, or does not have it.
  case confirmed(RowID, RemoteRow?)

  /// What became of a command. One that was not begun failed, without any effect.
  case performed(command: Int64, SyncCommandOutcome)
  /// The app wants a held command to be sent again, or a command to be forgotten.
  case decided(command: Int64, isWanted: Bool)

  /// A push that the machine asked for was not begun.
  case unsent(push: Int64)
  /// No more outcomes of the push will be recorded.
  case ended(push: Int64, RemoteFailure?)
}

extension SyncEvent {
  /// Whether rows that are ready to be sent still are, after the event.
  var holdsNothing: Bool {
    switch self {
    case .changed, .woke, .poll, .reconcile, .pulled, .fetched, .failed, .unknownPosition, .ended(_, nil), .performed,
      .decided:
      true
    case .recorded(_, let outcomes): outcomes.values.allSatisfy { if case .accepted = $0 { true } else { false } }
    default: false
    }
  }
}

/// What became of a row that was sent.
package enum Outcome: Hashable, Sendable {
  /// It took effect. The row is as the server has it now, if it says so.
  case accepted(key: SyncKey?, version: SyncRow.Version?, RemoteRow?)
  /// The server has other values than those that the change is based on, and did not take it.
  case conflict(RemoteRow?)
  case rejected(String)
  /// The server does not have the row.
  case missing
  /// The server has erased the row, and nothing may remain of it.
  case gone
  case failed(RemoteFailure)
}

/// A row as the server has it. Attributes that it does not name are unknown.
package struct RemoteRow: Hashable, Sendable {
  package var name: RemoteName
  package var version: SyncRow.Version?
  /// The values. References are keys of rows of the reference's class.
  package var fields: Fields

  package init(_ name: RemoteName, version: SyncRow.Version? = nil, _ fields: Fields) {
    (self.name, self.version, self.fields) = (name, version, fields)
  }
}

/// A class and a key.
package struct RemoteName: Hashable, Sendable {
  package var entity: Int
  package var key: SyncKey

  package init(_ entity: Int, _ key: SyncKey) { (self.entity, self.key) = (entity, key) }
}

/// An answer to a pull.
package struct Page: Hashable, Sendable {
  package var rows: [RemoteRow]
  package var deleted: [RemoteName]
  /// Where the next pull continues.
  package var position: String?
  /// Whether there are more pages now.
  package var hasMore: Bool
  /// What the page lists completely.
  package var covers: [Coverage]
  /// What all pages of a reading list together, from the first to the last one.
  package var together: [Coverage]

  package init(
    _ rows: [RemoteRow], deleted: [RemoteName] = [], position: String? = nil, hasMore: Bool = false,
    covers: [Coverage] = [], together: [Coverage] = []
  ) {
    (self.rows, self.deleted, self.position, self.hasMore, self.covers) = (rows, deleted, position, hasMore, covers)
    self.together = together
  }
}
