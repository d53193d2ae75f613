import LarderTestSupport
import Persistence
import SyncKit
import SyncTesting

/// Two devices, a server and other writers, which do what a seed chooses.
///
/// Each step has a generator of its own, so that a run can be repeated with some of its steps left out.
struct Simulation {
  struct Mistake: Error, CustomStringConvertible {
    var description: String
  }

  static let lists = 0
  static let items = 1

  static func model(_ settling: CreationSettling, hasLists: Bool = false) -> SyncModel {
    func attributes(_ title: String, _ owner: String, _ list: SyncClass.Attribute) -> [SyncClass.Attribute] {
      [.init(title), .init("text"), .init(owner, target: 0)] + (hasLists ? [list] : [])
    }
    return SyncModel([
      SyncClass("List", attributes("name", "parent", .init("pinned", target: 1, .list)), settling: settling),
      SyncClass("Item", attributes("title", "list", .init("tags", target: 0, .set)), settling: settling),
    ])
  }

  /// The attribute that is a list.
  static let members = 3

  let seed: UInt64
  let abilitiesText: String
  var world: World
  /// What each device wrote last.
  var written: [Written: SyncValue] = [:]
  /// The commands that have to be performed.
  var commands: Set<Int64> = []
  var wishes = Wishes()
  /// The generator of the current step, and what it needs to make new values.
  var random: SplitMix
  var step = 0
  var valueCount = 0
  /// What happened, if someone wants to know.
  let trace = Trace()

  final class Trace {
    var isOn = false
    private(set) var lines: [String] = []

    func note(_ text: @autoclosure () -> String) { if isOn { lines.append(text()) } }
  }

  struct Written: Hashable {
    var device: Int
    var row: RowID
    var attribute: Int
  }

  init(seed: UInt64, without removed: Set<SyncGuard> = []) {
    self.seed = seed
    random = SplitMix(seed: seed &* 7919)
    let settlings: [CreationSettling] = [.idempotencyKey, .clientKey, .find, .none]
    let settling = settlings.randomElement(using: &random)!
    let abilities = Self.abilities(settling, &random)
    world = World(Self.model(settling, hasLists: true), abilities, devices: 2, without: removed)
    abilitiesText = "\(settling) \(abilities)"
  }

  private static func abilities(_ settling: CreationSettling, _ random: inout SplitMix) -> MemoryServer.Abilities {
    var abilities = MemoryServer.Abilities()
    abilities.remote.versions = [.none, .opaque, .ordered].randomElement(using: &random)!
    abilities.remote.comparesVersions = abilities.remote.versions != .none && .random(using: &random)
    abilities.remote.fetchesRows = .random(using: &random)
    abilities.remote.sendsWholeRows = abilities.remote.comparesVersions && .random(using: &random)
    abilities.remote.pushes = [1, 1, 3].randomElement(using: &random)!
    abilities.remote.batch = [.one, .many(3), .atomic(1000)].randomElement(using: &random)!
    abilities.answersWithRows = .random(using: &random)
    let listings: [MemoryServer.Listing] = [.whole, .log(1000), .whole, .log(4), .shifting(3), .byKey(3), .byOwner]
    abilities.listing = listings.randomElement(using: &random)!
    abilities.listsTogether = .random(using: &random)
    abilities.changesValues = Int.random(in: 0..<4, using: &random) == 0
    abilities.lags = abilities.remote.versions == .ordered && .random(using: &random)
    abilities.hasNaturalKeys = settling == .clientKey && .random(using: &random)
    abilities.remote.recognizesCommands = .random(using: &random)
    abilities.addsMembers = .random(using: &random)
    return abilities
  }

  mutating func run(steps: Int) throws { try run(Array(0..<steps)) }

  /// Runs some of the steps of a seed.
  mutating func run(_ steps: [Int]) throws {
    for device in world.devices.indices { try world.send(.started, to: device) }
    for step in steps {
      (self.step, valueCount) = (step, 0)
      random = SplitMix(seed: seed &* 0x9E37_79B9_7F4A_7C15 ^ UInt64(step) &* 0xD1B5_4A32_D192_ED03)
      try takeStep()
      try checkAlways()
    }
    try checkProgress()
    try heal()
    try checkAlways()
    let mistakes = world.mistakes()
    if let first = mistakes.first { throw Mistake(description: "\(mistakes.count): \(first)") }
    for (place, value) in written.sorted(by: { "\($0.key)" < "\($1.key)" })
    where !world.isAccountedFor(value, of: place.row, on: place.device) {
      throw Mistake(description: "\(value) of \(place) is lost")
    }
    try checkCommands()
    if let broken = wishes.broken(in: world) { throw Mistake(description: broken) }
  }

  private func checkAlways() throws { if let fault = world.judge.faults.first { throw Mistake(description: fault) } }

  /// What the server rejects for ever blocks only what depends on it.
  private mutating func checkProgress() throws {
    guard try world.heal() else { throw Mistake(description: "it does not come to rest while rows are rejected") }
    for device in world.devices.indices {
      if let row = world.devices[device].store.blockedForNothing().first {
        throw Mistake(description: "device \(device): \(row) waits for nothing")
      }
    }
    try checkCommands()
  }

  private mutating func heal() throws {
    world.isRejecting = false
    for _ in 0..<20 {
      guard try world.heal() else { throw Mistake(description: "it does not come to rest") }
      var isHeld = false
      for device in world.devices.indices {
        if try settleCommands(of: device) { isHeld = true }
        for row in world.devices[device].store.rows.values.sorted(by: { $0.id < $1.id }) {
          switch row.hold {
          case .rejected:
            isHeld = true
            try world.send(.retry(row.id), to: device)
          case .unconfirmed(let sent):
            isHeld = true
            let origin = MemoryServer.Origin(row: row.id, push: sent.push)
            try world.send(.confirmed(row.id, world.server.find(origin)), to: device)
          case .outdated, nil: break
          }
        }
      }
      if !isHeld { return }
    }
    throw Mistake(description: "rows stay held")
  }
}
