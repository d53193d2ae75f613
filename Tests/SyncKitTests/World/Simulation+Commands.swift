import LarderTestSupport
import SyncKit
import SyncTesting

extension Simulation {
  /// The app adds a command about some of its rows.
  mutating func enqueue(_ device: Int) throws {
    let here = world.devices[device].store.rows.values.filter { $0.now != nil }.map(\.id).sorted()
    let rows = (0..<Int.random(in: 0...2, using: &random)).compactMap { _ in here.randomElement(using: &random) }
    let queue = ["a", "b"].randomElement(using: &random)!
    let text = Int.random(in: 0..<6, using: &random) == 0 ? "poison!" : ""
    let id = world.commit(on: device) { $0.enqueue("command", text, after: rows, queue: queue) }
    commands.insert(id)
    world.judge.enqueued(id)
    trace.note("enqueue \(id) \(text) in \(queue) after \(rows) on \(device)")
    if Bool.random(using: &random) { try world.send(.changed, to: device) }
  }

  /// The app decides about the commands that are held.
  ///
  /// - Returns: Whether there were any.
  mutating func settleCommands(of device: Int) throws -> Bool {
    var isHeld = false
    for id in world.devices[device].store.commands.map(\.id) {
      // After a decision, the next one may be held.
      guard let command = world.devices[device].store.command(id) else { continue }
      switch command.state {
      case .waiting, .sending: continue
      case .unconfirmed where world.server.performed[command.id] != nil:
        try world.send(.decided(command: command.id, isWanted: false), to: device)
      case .unconfirmed, .rejected("poison"): try world.send(.decided(command: command.id, isWanted: true), to: device)
      case .rejected(let reason):
        let isKnown = !world.server.restored.contains(command.id / 1_000_000)
        if isKnown, world.server.performed[command.id] != nil {
          throw Mistake(description: "\(command.id) was performed, and is rejected: \(reason)")
        }
        commands.remove(command.id)
        try world.send(.decided(command: command.id, isWanted: false), to: device)
      }
      isHeld = true
    }
    return isHeld
  }

  /// Each command is performed, or waits for a row that waits itself.
  func checkCommands() throws {
    let waiting = world.devices.flatMap(\.store.commands)
    let lost = commands.filter { id in world.server.performed[id] == nil && !waiting.contains { $0.id == id } }
    if let lost = lost.min() { throw Mistake(description: "the command \(lost) is lost") }
    if let idle = world.devices.flatMap({ $0.store.commandsThatWaitForNothing() }).first {
      throw Mistake(description: "\(idle) waits for nothing")
    }
  }
}

extension MemoryStore {
  /// The first commands of their queues that wait although their rows do not.
  func commandsThatWaitForNothing() -> [StoredCommand] {
    nextCommands().filter { command in
      switch command.state {
      case .unconfirmed, .rejected: false
      case .sending: true
      case .waiting: command.rows.allSatisfy { $0.flatMap { rows[$0] }.map { !$0.isChanged } ?? true }
      }
    }
  }
}
