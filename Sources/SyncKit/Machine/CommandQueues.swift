internal import Foundation

/// What has to happen once, in order: a command waits for its rows, and for the earlier ones of its queue.
struct CommandQueues: Hashable {
  /// Whether the server recognizes a command that it has performed.
  let isRecognized: Bool
  var removed: Set<SyncGuard> = []
  /// The commands in progress.
  private var performing: Set<Int64> = []

  init(isRecognized: Bool) { self.isRecognized = isRecognized }

  mutating func start(_ pace: Pace, at now: Int64, _ store: inout some SyncStore) throws -> [SyncAction] {
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

  /// Decides about a command that is not in progress, and is the first of its queue.
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
    removed.contains(.unknownCommandNotResent) || isRecognized && !command.rows.contains(nil)
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

  /// - Returns: Whether the server has performed it.
  mutating func performed(
    _ id: Int64, _ outcome: SyncCommandOutcome, _ pace: inout Pace, at now: Int64, _ store: inout some SyncStore
  ) throws -> Bool {
    guard performing.remove(id) != nil, var command = try store.command(id) else { return false }
    switch outcome {
    case .done:
      pace.succeed(id)
      try store.removeCommand(id)
      return true
    case .rejected(let reason):
      pace.succeed(id)
      command.state = .rejected(reason: reason)
    // It holds its queue, and nothing else.
    case .failed(.unknown) where isRepeatable(command): pace.delayAlone(id, at: now)
    case .failed(.unknown): command.state = .unconfirmed
    case .failed(let failure):
      if case .later(let given) = failure { pace.delay(id, at: now, by: given) }
      // After the first time, an earlier attempt may have taken effect.
      if !command.isRepeated { command.state = .waiting }
    }
    try store.put(command)
    return false
  }

  /// The app decides that a command is sent again, although it was rejected or may have been performed, or that it is
  /// forgotten. What is in flight is not decided.
  ///
  /// - Returns: Whether the server may have performed it.
  func decide(_ id: Int64, isWanted: Bool, _ store: inout some SyncStore) throws -> Bool {
    guard var command = try store.command(id) else { return false }
    if case .sending = command.state { return false }
    let wasUnconfirmed = command.state == .unconfirmed
    command.state = .waiting
    if isWanted { try store.put(command) } else { try store.removeCommand(id) }
    return wasUnconfirmed && !isWanted
  }

  /// Nothing remains of a row that the server has erased. What is in flight has left already.
  static func erase(_ id: RowID, _ store: inout some SyncStore) throws {
    for var command in try store.commands(after: id) {
      if case .sending = command.state { continue }
      command.payload = Data()
      try store.put(command)
    }
  }

  /// Two rows turned out to be one.
  static func replace(_ old: RowID, by new: RowID, _ store: inout some SyncStore) throws {
    for var command in try store.commands(after: old) {
      command.rows = command.rows.map { $0 == old ? new : $0 }
      try store.put(command)
    }
  }
}
