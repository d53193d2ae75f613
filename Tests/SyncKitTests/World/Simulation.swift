import Persistence
import SyncKit

/// Two devices, a server and other writers, which do what a seed chooses.
struct Simulation {
  struct Mistake: Error, CustomStringConvertible {
    var description: String
  }

  static let lists = 0
  static let items = 1

  static func model(_ settling: CreationSettling) -> SyncModel {
    SyncModel([
      SyncClass("List", [.init("name"), .init("text"), .init("parent", target: 0)], settling: settling),
      SyncClass("Item", [.init("title"), .init("text"), .init("list", target: 0)], settling: settling),
    ])
  }

  private(set) var world: World
  private var random: any RandomNumberGenerator
  private var nextValue = 0
  /// What each device wrote last.
  private var written: [Written: SyncValue] = [:]
  /// What happened, if someone wants to know.
  let trace = Trace()

  final class Trace {
    var isOn = false
    private(set) var lines: [String] = []

    func note(_ text: @autoclosure () -> String) { if isOn { lines.append(text()) } }
  }

  private struct Written: Hashable {
    var device: Int
    var row: RowID
    var attribute: Int
  }

  init(_ random: some RandomNumberGenerator) {
    var random: any RandomNumberGenerator = random
    let settlings: [CreationSettling] = [.idempotencyKey, .clientKey, .find, .none]
    var abilities = MemoryServer.Abilities()
    let settling = settlings.randomElement(using: &random)!
    abilities.remote.versions = [.none, .opaque, .ordered].randomElement(using: &random)!
    abilities.remote.comparesVersions = abilities.remote.versions != .none && .random(using: &random)
    abilities.remote.fetchesRows = .random(using: &random)
    abilities.remote.sendsWholeRows = abilities.remote.comparesVersions && .random(using: &random)
    abilities.remote.pushes = [1, 1, 3].randomElement(using: &random)!
    abilities.remote.batch = [.one, .many(3), .atomic(100)].randomElement(using: &random)!
    abilities.answersWithRows = .random(using: &random)
    abilities.hasLog = .random(using: &random)
    world = World(Self.model(settling), abilities, devices: 2)
    self.random = random
    abilitiesText = "\(settling) \(abilities)"
  }

  let abilitiesText: String

  mutating func run(steps: Int) throws {
    for device in world.devices.indices { try world.send(.started, to: device) }
    for step in 0..<steps {
      try self.step()
      if step % 50 == 49 { try checkAlways() }
    }
    try heal()
    try checkAlways()
    let mistakes = world.mistakes()
    if let first = mistakes.first { throw Mistake(description: "\(mistakes.count): \(first)") }
    for (place, value) in written.sorted(by: { "\($0.key)" < "\($1.key)" })
    where !world.isAccountedFor(value, on: place.device) {
      throw Mistake(description: "\(value) of \(place) is lost")
    }
  }

  private mutating func heal() throws {
    world.isRejecting = false
    for _ in 0..<20 {
      guard try world.heal() else { throw Mistake(description: "it does not come to rest") }
      var isHeld = false
      for device in world.devices.indices {
        for row in world.devices[device].store.rows.values.sorted(by: { $0.id < $1.id }) {
          switch row.hold {
          case .rejected:
            isHeld = true
            try world.send(.retry(row.id), to: device)
          case .unconfirmed(let sent):
            isHeld = true
            let origin = MemoryServer.Origin(device: device, row: row.id, push: sent.push)
            try world.send(.confirmed(row.id, world.server.find(origin)), to: device)
          case .outdated, nil: break
          }
        }
      }
      if !isHeld { return }
    }
    throw Mistake(description: "rows stay held")
  }

  private func checkAlways() throws {
    if let double = world.server.doubles.first { throw Mistake(description: "\(double) was created twice") }
  }

  private mutating func value() -> SyncValue {
    nextValue += 1
    return .plain(.text("v\(nextValue)"))
  }

  private mutating func step() throws {
    let device = Int.random(in: 0..<world.devices.count, using: &random)
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<25: try edit(device)
    case 25..<30: try foreign()
    case 30..<36:
      trace.note("poll \(device)")
      try world.send(.poll, to: device)
    case 36..<38:
      trace.note("restart \(device)")
      try world.restart(device)
    case 38..<46:
      trace.note("wake at \(world.now)")
      _ = try world.wake()
    case 46..<52:
      guard let index = world.messages.indices.randomElement(using: &random) else { return }
      trace.note("lose \(world.messages[index])")
      try world.lose(index)
    case 52..<53:
      world.isRejecting.toggle()
      trace.note("rejecting \(world.isRejecting)")
    default:
      guard let index = world.messages.indices.randomElement(using: &random) else { return }
      trace.note("deliver \(world.messages[index])")
      try world.deliver(index)
    }
  }

  /// One commit of an app: up to three changes.
  private mutating func edit(_ device: Int) throws {
    var changed: [RowID] = []
    for _ in 0..<[1, 1, 2, 3].randomElement(using: &random)! {
      let here = world.devices[device].store.rows.values.filter { $0.now != nil }.map(\.id).sorted()
      let lists = here.filter { $0.entity == Self.lists }
      switch Int.random(in: 0..<10, using: &random) {
      case 0..<3:
        let entity = Int.random(in: 0...1, using: &random)
        let parent = Bool.random(using: &random) ? lists.randomElement(using: &random) : nil
        let (title, text) = (value(), value())
        let id = world.devices[device].store.insert(
          Fields([title, text, parent.map { .object($0.id) } ?? .null]), in: entity)
        written[Written(device: device, row: id, attribute: 0)] = title
        written[Written(device: device, row: id, attribute: 1)] = text
        changed.append(id)
        trace.note("insert \(id) \(title) \(text) of \(String(describing: parent)) on \(device)")
      case 3..<8:
        guard let id = here.randomElement(using: &random) else { continue }
        let attribute = Int.random(in: 0...2, using: &random)
        changed.append(id)
        if attribute == 2 {
          let parent = lists.filter { $0 != id }.randomElement(using: &random)
          world.devices[device].store.edit(id, 2, parent.map { .object($0.id) } ?? .null)
          trace.note("move \(id) to \(String(describing: parent)) on \(device)")
        } else {
          let value = value()
          world.devices[device].store.edit(id, attribute, value)
          written[Written(device: device, row: id, attribute: attribute)] = value
          trace.note("edit \(id).\(attribute) to \(value) on \(device)")
        }
      default:
        guard let id = here.randomElement(using: &random) else { continue }
        world.devices[device].store.delete(id)
        for attribute in 0...1 { written[Written(device: device, row: id, attribute: attribute)] = nil }
        changed.append(id)
        trace.note("delete \(id) on \(device)")
      }
    }
    if changed.isEmpty { return }
    world.devices[device].store.tie(changed)
    if Int.random(in: 0..<4, using: &random) > 0 { try world.send(.changed, to: device) }
  }

  private mutating func foreign() throws {
    let names = world.server.rows.keys.sorted { ($0.entity, $0.key) < ($1.entity, $1.key) }
    guard let name = names.randomElement(using: &random) else { return }
    switch Int.random(in: 0..<10, using: &random) {
    case 0..<6:
      let (attribute, value) = (Int.random(in: 0...1, using: &random), value())
      trace.note("foreign edit \(name).\(attribute) to \(value)")
      world.server.change(name) { $0[attribute] = value }
    case 6..<8:
      let value = value()
      let name = world.server.insert(Fields([value, value, .null]), in: name.entity)
      trace.note("foreign insert \(name)")
    default:
      trace.note("foreign delete \(name)")
      world.server.delete(name)
    }
  }
}
