import Persistence
import SyncKit
import Testing

/// Every order of what two devices do with one row, of what the server does with it, and of what is lost.
///
/// Orders that differ only in when one device does something that the other cannot notice are the same. While nothing
/// of a device is on its way to the server, it therefore goes first.
@Suite(.timeLimit(.minutes(10))) struct ExplorationTests {
  struct State: Hashable {
    var world: World
    /// What each device has not done yet.
    var left: [Set<Step>]
    /// What may still be lost of each device.
    var losses: [Int]
    var written: [[SyncValue?]]
  }

  enum Step: Hashable, CaseIterable { case edit, editOther, push, pull }

  static let abilities: [MemoryServer.Abilities] = {
    var all: [MemoryServer.Abilities] = []
    for versions in [RemoteCapabilities.Versions.none, .opaque, .ordered] {
      for compares in versions == .none ? [false] : [false, true] {
        for answers in [false, true] {
          for fetches in [false, true] {
            var abilities = MemoryServer.Abilities()
            abilities.remote.versions = versions
            abilities.remote.comparesVersions = compares
            abilities.remote.fetchesRows = fetches
            abilities.answersWithRows = answers
            all.append(abilities)
          }
        }
      }
    }
    return all
  }()

  @Test(arguments: abilities, [[1, 1], [2, 0]]) func `no order loses a value or lets devices differ`(
    _ abilities: MemoryServer.Abilities, _ losses: [Int]
  ) throws {
    let model = SyncModel([SyncClass("Note", [.init("title"), .init("text")], settling: .idempotencyKey)])
    var world = World(model, abilities, devices: 2)
    _ = world.server.insert(Fields([.plain(.text("a")), .plain(.text("b"))]), in: 0)
    let isHealed = try world.heal()
    #expect(isHealed && world.mistakes().isEmpty)
    let first = State(
      world: world, left: Array(repeating: Set(Step.allCases), count: 2), losses: losses,
      written: Array(repeating: [nil, nil], count: 2))
    var seen: Set<State> = [first]
    var rest = [first]
    var ends = 0
    while let state = rest.popLast() {
      let next = try self.next(state)
      if next.isEmpty {
        ends += 1
        try check(state)
      }
      for state in next where seen.insert(state).inserted { rest.append(state) }
    }
    print("explored: \(seen.count) states, \(ends) ends, \(abilities.remote) \(abilities.answersWithRows)")
  }

  private func next(_ state: State) throws -> [State] {
    var all: [State] = []
    for device in 0..<2 {
      let next = try self.next(state, device)
      let isLocal = !state.world.messages.contains { $0.isRequest && $0.device == device }
      if isLocal, !next.isEmpty { return next }
      all += next
    }
    return all
  }

  private func next(_ state: State, _ device: Int) throws -> [State] {
    var result: [State] = []
    for step in state.left[device] {
      var next = state
      next.left[device].remove(step)
      switch step {
      case .edit, .editOther:
        let attribute = step == .edit ? 0 : 1
        let value = SyncValue.plain(.text("\(step) of \(device)"))
        next.world.devices[device].store.edit(RowID(0, 1), attribute, value)
        next.written[device][attribute] = value
      case .push: try next.world.send(.changed, to: device)
      case .pull: try next.world.send(.poll, to: device)
      }
      result.append(next)
    }
    for index in state.world.messages.indices where state.world.messages[index].device == device {
      var next = state
      try next.world.deliver(index)
      result.append(next)
      guard state.losses[device] > 0 else { continue }
      next = state
      next.losses[device] -= 1
      try next.world.lose(index)
      result.append(next)
    }
    return result
  }

  private func check(_ state: State) throws {
    var state = state
    let isHealed = try state.world.heal()
    #expect(isHealed)
    let mistakes = state.world.mistakes()
    #expect(mistakes.isEmpty)
    for device in 0..<2 {
      for attribute in 0..<2 {
        guard let value = state.written[device][attribute] else { continue }
        let isAccountedFor = state.world.isAccountedFor(value, on: device)
        #expect(isAccountedFor, "\(value) is lost: \(state.world.server.rows) \(state.world.devices[device].store)")
      }
    }
  }
}
