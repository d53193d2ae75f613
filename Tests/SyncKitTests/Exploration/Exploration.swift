import Persistence
import SyncKit
import SyncTesting

/// Every order of what two devices do with one row, of what the server does with it, and of what is lost.
struct Exploration {
  var states = 0
  var ends = 0
  /// What was wrong, and how many states were.
  var mistake: String?
  var wrong = 0

  static let configurations: [MemoryServer.Abilities] = {
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

  static let twoLosses = [[1, 1], [2, 0]]

  func report(_ abilities: MemoryServer.Abilities, _ losses: [Int]) -> String {
    "explored \(Self.name(abilities)), losses \(losses): \(states) states, \(ends) ends, \(wrong) wrong"
      + (mistake.map { ": \($0)" } ?? "")
  }

  private static func name(_ abilities: MemoryServer.Abilities) -> String {
    "\(abilities.remote.versions) versions\(abilities.remote.comparesVersions ? ", compared" : "")"
      + "\(abilities.answersWithRows ? ", answers with rows" : "")\(abilities.remote.fetchesRows ? ", fetches" : "")"
  }

  mutating func run(
    _ abilities: MemoryServer.Abilities, losses: [Int], steps: [Set<ExplorationState.Step>]
  ) throws {
    let model = SyncModel([SyncClass("Note", [.init("title"), .init("text")], settling: .idempotencyKey)])
    var world = World(model, abilities, devices: 2)
    _ = world.server.insert(Fields([.plain(.text("a")), .plain(.text("b"))]), in: 0)
    if try !world.heal() { note("it does not come to rest at the beginning") }
    let first = ExplorationState(world, steps, losses: losses)
    var seen: Set<Digest> = [first.digest]
    var rest = [first]
    while let state = rest.popLast() {
      let next = try state.next()
      if let fault = state.world.judge.faults.first { note(fault) }
      if next.isEmpty {
        ends += 1
        try check(state, steps)
      }
      for state in next where seen.insert(state.digest).inserted { rest.append(state) }
    }
    states = seen.count
  }

  private mutating func check(_ state: ExplorationState, _ steps: [Set<ExplorationState.Step>]) throws {
    var world = state.world
    if try !world.heal() { note("it does not come to rest") }
    if let mistake = world.mistakes().first { note(mistake) }
    for device in 0..<2 {
      for step in [ExplorationState.Step.edit, .editOther] where steps[device].contains(step) {
        let value = ExplorationState.value(step, device)
        if !world.isAccountedFor(value, of: RowID(0, 1), on: device) { note("\(value) is lost") }
      }
    }
  }

  private mutating func note(_ text: String) {
    wrong += 1
    if mistake == nil { mistake = text }
  }
}
