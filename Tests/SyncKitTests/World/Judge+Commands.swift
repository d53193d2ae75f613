import SyncKit
import SyncTesting

extension Judge {
  /// A command is sent when the server has its rows as they are on the device.
  mutating func sent(_ command: StoredCommand, from store: MemoryStore, _ server: MemoryServer) {
    guard !command.isRepeated, let stored = store.command(command.id) else { return }
    for case let id? in stored.rows {
      guard let row = store.rows[id], let key = row.key, let now = row.now,
        let history = server.history[RemoteName(id.entity, key)]
      else {
        note("\(command.id) is sent before \(id)")
        continue
      }
      for attribute in 0...1 where now[attribute].map({ history[attribute].contains($0) }) != true {
        note("\(command.id) is sent before \(row)")
      }
    }
  }

  /// The engine only rejects what is about a row that is not here.
  mutating func look(at commands: [StoredCommand], before old: [StoredCommand], in store: MemoryStore) {
    for command in commands where old.first(where: { $0.id == command.id })?.state != command.state {
      guard case .rejected(let reason) = command.state, reason != "poison" else { continue }
      if command.rows.allSatisfy({ $0.flatMap { store.rows[$0]?.now } != nil }) {
        note("\(command.id) has its rows, and is rejected: \(reason)")
      }
    }
  }

  /// Commands of a device are performed once, and in the order in which they were enqueued.
  mutating func performed(_ command: StoredCommand, by device: Int, _ server: MemoryServer) {
    for fault in server.faults { note(fault) }
    if let double = server.repeatedCommands.min() { note("\(double) was performed twice") }
    // One that was performed before was recognized.
    guard server.commands.last?.id == command.id else { return }
    let queue = Queue(device: device, name: command.queue)
    if let last = lastPerformed[queue], let own = enqueued[command.id], own < last {
      note("\(command.id) is performed after a later one of its queue")
    }
    lastPerformed[queue] = enqueued[command.id]
  }

  mutating func enqueued(_ command: Int64) { enqueued[command] = enqueued.count }
}
