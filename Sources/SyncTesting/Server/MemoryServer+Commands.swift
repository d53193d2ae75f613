internal import Foundation
internal import Persistence
package import SyncKit

extension MemoryServer {
  /// Performs a command, which changes the first row that it names.
  package mutating func perform(_ command: StoredCommand, isRejecting: Bool) -> SyncCommandOutcome {
    if abilities.remote.recognizesCommands, performed[command.id] != nil { return .done }
    if isRejecting, command.payload.contains(UInt8(ascii: "!")) { return .rejected("poison") }
    for name in command.names where history[name] == nil {
      faults.append("\(command.id) is about \(name), which is not there")
    }
    note(command)
    if let name = command.names.first { change(name) { $0[1] = .plain(.text("by \(command.id)")) } }
    return .done
  }

  /// The commands that were performed more often than once, although that can be prevented.
  package var repeatedCommands: [Int64] {
    performed.filter { id, count in
      // A copy of a store performs again what it had, unless the server recognizes that.
      count > 1 && (abilities.remote.recognizesCommands || !restored.contains(id / 1_000_000))
    }.map(\.key)
  }
}
