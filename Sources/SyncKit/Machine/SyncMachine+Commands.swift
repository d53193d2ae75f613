internal import Foundation

/// What has to happen once, in order: a command waits for its rows, and for the earlier ones of its queue.
extension SyncMachine {
  mutating func startCommands(at now: Int64, _ store: inout some SyncStore) throws -> [SyncAction] {
    if isPaused || now < pace.nextPush { return [] }
    var actions: [SyncAction] = []
    for var command in try store.nextCommands()
    where !performing.contains(command.id) && pace.allows(command.id, at: now) {
      let old = command
      try advance(&command, store)
      if command == old { continue }
      try store.put(command)
      guard case .sending = command.state else { continue }
      performing.insert(command.id)
      actions.append(.perform(command))
    }
    return actions
  }

  /// Decides about a command that is not in flight, and is the first of its queue.
  private func advance(_ command: inout StoredCommand, _ store: some SyncStore) throws {
    switch command.state {
    case .unconfirmed, .rejected: return
    case .sending(let attempts):
      command.state = isRepeatable(command) ? .sending(attempts: attempts + 1) : .unconfirmed
    case .waiting:
      let rows = try command.rows.map { try $0.flatMap { try store.row($0) } }
      if rows.contains(where: { $0?.now == nil }) {
        command.state = .rejected(reason: "an object that it needs does not exist any more")
      } else if try awaited(by: command, store).isEmpty {
        command.keys = rows.compactMap { $0?.key }
        command.state = .sending(attempts: 1)
      }
    }
  }

  private func isRepeatable(_ command: StoredCommand) -> Bool {
    removed.contains(.unknownCommandNotResent) || capabilities.recognizesCommands && !command.rows.contains(nil)
  }

  /// The rows of a command that are not on the server, or not as they are here.
  func awaited(by command: StoredCommand, _ store: some SyncStore) throws -> [RowID] {
    if removed.contains(.commandAfterRows) { return [] }
    return try command.rows.compactMap { $0 }.filter { id in
      guard var row = try store.row(id), row.now != nil else { return false }
      row.normalize()
      return row.isChanged || row.sent != nil || row.key == nil
    }
  }

  mutating func performed(
    _ id: Int64, _ outcome: SyncCommandOutcome, at now: Int64, _ store: inout some SyncStore
  ) throws {
    guard performing.remove(id) != nil, var command = try store.command(id) else { return }
    switch outcome {
    case .done:
      pace.succeed(id)
      return try remove(command, &store)
    case .rejected(let reason):
      pace.succeed(id)
      command.state = .rejected(reason: reason)
    case .failed(.unknown) where isRepeatable(command): pace.delay(id, at: now, by: nil)
    case .failed(.unknown): command.state = .unconfirmed
    case .failed(let failure):
      if case .later(let given) = failure { pace.delay(id, at: now, by: given) } else { isPaused = true }
      // After the first time, an earlier attempt may have taken effect.
      if !command.isRepeated { command.state = .waiting }
    }
    try store.put(command)
  }

  /// What a command has changed there is read, because nothing says which rows that are.
  private mutating func remove(_ command: StoredCommand, _ store: inout some SyncStore) throws {
    pace.forget(command.id)
    wanted.formUnion(scopes)
    again.formUnion(reading)
    try store.removeCommand(command.id)
  }

  /// The app decides that a command is sent again, although it was rejected or may have been performed, or that it is
  /// forgotten. What is in flight is not decided.
  mutating func decide(_ id: Int64, isWanted: Bool, _ store: inout some SyncStore) throws {
    guard var command = try store.command(id) else { return }
    if case .sending = command.state { return }
    if !isWanted { return try remove(command, &store) }
    command.state = .waiting
    try store.put(command)
  }

  /// Nothing remains of a row that the server has erased. What is in flight has left already.
  func eraseCommands(after id: RowID, _ store: inout some SyncStore) throws {
    for var command in try store.commands(after: id) {
      if case .sending = command.state { continue }
      command.payload = Data()
      try store.put(command)
    }
  }

  /// Two rows turned out to be one.
  func renameInCommands(_ old: RowID, to new: RowID, _ store: inout some SyncStore) throws {
    for var command in try store.commands(after: old) {
      command.rows = command.rows.map { $0 == old ? new : $0 }
      try store.put(command)
    }
  }
}
