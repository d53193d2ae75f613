public import Persistence

/// What has to happen once.
extension SyncEngine {
  /// Adds a command to its queue, in the transaction of the enclosing `persist`: what that changes and the command are
  /// saved together, or neither is. The engine does not have to be running.
  ///
  /// - Parameters:
  ///   - command: What has to happen.
  ///   - objects: What the closure of `persist` receives, of a context of the engine's container.
  /// - Returns: The ``SyncCommandStatus/id`` of the command.
  /// - Throws: ``SyncError/invalidClass(type:reason:)`` if the class of an object is not synchronized, or an error of
  ///   the store, which is `PersistenceError.notPersisting` outside `persist`.
  @discardableResult public func enqueue(_ command: SyncCommand, in objects: ObjectSpace) throws -> Int64 {
    let rows = try rows(of: command)
    let stored = StoredCommand(
      id: SyncIdentifiers.random.push(), command.name, command.payload, queue: command.queue, after: rows)
    try StoredRows.enqueue(stored, tables, in: objects)
    objects.whenCommitted { [driver] in Task { await driver.noteChanges() } }
    return stored.id
  }

  /// Adds a command to its queue, in a transaction of its own. The engine does not have to be running.
  ///
  /// - Returns: The ``SyncCommandStatus/id`` of the command.
  /// - Throws: ``SyncError/invalidClass(type:reason:)`` if the class of an object is not synchronized, or an error of
  ///   the store.
  @discardableResult public func enqueue(_ command: SyncCommand) async throws -> Int64 {
    _ = try rows(of: command)
    return try await driver.context.persist { try self.enqueue(command, in: $0) }
  }

  private func rows(of command: SyncCommand) throws(SyncError) -> [RowID] {
    try command.objects.map { (type, id) throws(SyncError) in try SyncedObject(type, id).row(in: tables) }
  }

  /// The commands that are not settled, in the order in which they were enqueued.
  ///
  /// A rejected or unconfirmed command holds the later ones of its queue, until ``retryCommand(_:)`` or
  /// ``discardCommand(_:)``.
  ///
  /// - Throws: An error of the store.
  public func commands() async throws -> [SyncCommandStatus] {
    let tables = tables
    return try await driver.read { machine, rows in
      try rows.commands().map { command in
        let state: SyncCommandStatus.State =
          switch command.state {
          case .waiting: .waiting(for: try machine.commands.awaited(by: command, rows).map { SyncedObject($0, tables) })
          case .sending: .sending
          case .unconfirmed: .unconfirmed
          case .rejected(let reason): .rejected(reason)
          }
        return SyncCommandStatus(
          id: command.id, name: command.name, payload: command.payload, queue: command.queue, state: state)
      }
    }
  }

  /// Sends a rejected command again, or an unconfirmed one of which the app knows that it was not performed. It has the
  /// same ``SyncCommandRequest/idempotencyKey`` as before.
  ///
  /// - Throws: ``SyncError/notRunning``, or an error of the store.
  public func retryCommand(_ id: SyncCommandStatus.ID) async throws {
    try await driver.decide(.decided(command: id, isWanted: true))
  }

  /// Forgets a command, unless it is being sent: one that is not wanted any more, or an unconfirmed one of which the
  /// app knows that it was performed.
  ///
  /// - Throws: ``SyncError/notRunning``, or an error of the store.
  public func discardCommand(_ id: SyncCommandStatus.ID) async throws {
    try await driver.decide(.decided(command: id, isWanted: false))
  }
}
