/// What a machine wants to have done, after the transaction of its event is committed.
package enum SyncAction: Hashable, Sendable {
  case pull(request: Int, scope: String, after: String?)
  case fetch(request: Int, [RemoteName])
  case push(PushRequest)
  /// Look for rows that may have been created.
  case find(PushRequest)
  case perform(StoredCommand)
  /// Send `woke` at this time, in milliseconds of the machine's clock.
  case wake(at: Int64)
}

/// Rows to send, in the order in which the server can take them.
package struct PushRequest: Hashable, Sendable {
  package struct Change: Hashable, Sendable {
    package var row: RowID
    /// Identifies the change among those of the push, also when some of them are repeated.
    package var index: Int
    package var key: SyncKey?
    package var kind: SyncRow.Sent.Kind
    /// The values to send.
    package var fields: Fields
    /// The server's values that the change is based on. Nil for a creation.
    package var base: Fields?
    package var version: SyncRow.Version?
  }

  package var push: Int64
  /// Whether the same push may have been sent before.
  package var isRepeated: Bool
  package var changes: [Change]
}
