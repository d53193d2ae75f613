import Foundation
import SyncKit

extension MemoryStore {
  /// The app adds a command.
  mutating func enqueue(
    _ name: String, _ text: String = "", after rows: [RowID] = [], queue: String = ""
  ) -> Int64 {
    let id = nextPush()
    commands.append(StoredCommand(id: id, name, Data(text.utf8), queue: queue, after: rows))
    return id
  }

  func nextCommands() -> [StoredCommand] {
    if removed.contains(.commandsInOrder) { return commands }
    var queues: Set<String> = []
    return commands.filter { queues.insert($0.queue).inserted }
  }

  func command(_ id: Int64) -> StoredCommand? { commands.first { $0.id == id } }

  func commands(after row: RowID) -> [StoredCommand] { commands.filter { $0.rows.contains(row) } }

  mutating func put(_ command: StoredCommand) {
    if let index = commands.firstIndex(where: { $0.id == command.id }) { commands[index] = command }
  }

  mutating func removeCommand(_ id: Int64) { commands.removeAll { $0.id == id } }
}
