import LarderTestSupport
import Persistence
import SyncKit
import SyncTesting

extension Simulation {
  private mutating func value() -> SyncValue {
    valueCount += 1
    let poison = Int.random(in: 0..<10, using: &random) == 0 ? "!" : ""
    return .plain(.text("v\(step).\(valueCount)\(poison)"))
  }

  mutating func takeStep() throws {
    let device = Int.random(in: 0..<world.devices.count, using: &random)
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<25: try edit(device)
    case 25..<30: foreign()
    case 30..<36:
      let event = Int.random(in: 0..<6, using: &random) == 0 ? SyncEvent.reconcile : .poll
      trace.note("\(event) \(device)")
      try world.send(event, to: device)
    case 36..<38:
      trace.note("restart \(device)")
      try world.restart(device)
    case 38..<46:
      trace.note("wake at \(world.now)")
      _ = try world.wake()
    case 46..<50: try withMessage("lose") { try $0.lose($1) }
    case 50..<52: try fail()
    case 52..<53:
      world.isRejecting.toggle()
      trace.note("rejecting \(world.isRejecting)")
    case 53..<54: try copy(device)
    case 54..<57: try withMessage("deliver in part") { try $0.deliverPart(of: $1) }
    case 57..<61: try enqueue(device)
    case 61..<62:
      trace.note("settle commands of \(device)")
      _ = try settleCommands(of: device)
    default:
      let old = Bool.random(using: &random) ? world.past.randomElement(using: &random) : nil
      try withMessage(old == nil ? "deliver" : "deliver late") { try $0.deliver($1, from: old) }
    }
  }

  private mutating func withMessage(_ what: String, _ body: (inout World, Int) throws -> Void) rethrows {
    guard let index = world.messages.indices.randomElement(using: &random) else { return }
    trace.note("\(what) \(world.messages[index])")
    try body(&world, index)
  }

  private mutating func fail() throws {
    let failures: [RemoteFailure] = [.later(nil), .later(3000), .unauthorized]
    let failure = failures.randomElement(using: &random)!
    let isPositionLost = Int.random(in: 0..<3, using: &random) == 0
    try withMessage("\(failure), or a lost position: \(isPositionLost)") { world, index in
      guard world.messages[index].isRequest else { return }
      if isPositionLost, case .pull(let request, _, _) = world.messages[index].action {
        try world.send(.unknownPosition(request: request), to: world.messages.remove(at: index).device)
      } else {
        try world.fail(index, failure)
      }
    }
  }

  /// Takes a copy of a store, or puts one in its place.
  private mutating func copy(_ device: Int) throws {
    if world.devices[device].copy == nil {
      trace.note("copy \(device)")
      world.devices[device].copy = world.devices[device].store
      return
    }
    trace.note("restore \(device)")
    let before = world.devices[device].store.commands.map(\.id)
    wishes.restore(world.devices[device].store, of: device)
    try world.restore(device, as: Int64(10 + step))
    commands.subtract(Set(before).subtracting(world.devices[device].store.commands.map(\.id)))
    // What was written since is not here any more.
    let rows = world.devices[device].store.rows
    written = written.filter { $0.key.device != device || rows[$0.key.row]?.now?[$0.key.attribute] == $0.value }
  }

  /// One commit of an app: up to three changes.
  private mutating func edit(_ device: Int) throws {
    var (changed, inserted): ([RowID], [RowID]) = ([], [])
    for _ in 0..<[1, 1, 2, 3].randomElement(using: &random)! {
      let here = world.devices[device].store.rows.values.filter { $0.now != nil }.map(\.id).sorted()
      switch Int.random(in: 0..<10, using: &random) {
      case 0..<3: inserted.append(insert(device, here))
      case 3..<8: if let id = change(device, here) { changed.append(id) }
      default: if let id = delete(device, here) { changed.append(id) }
      }
    }
    changed += inserted
    if changed.isEmpty { return }
    world.commit(on: device) { $0.tie(changed) }
    world.judge.inserted(inserted, by: world.devices[device].store.replica)
    if Int.random(in: 0..<4, using: &random) > 0 { try world.send(.changed, to: device) }
  }

  private mutating func insert(_ device: Int, _ here: [RowID]) -> RowID {
    let entity = Int.random(in: 0...1, using: &random)
    let lists = here.filter { $0.entity == Self.lists }
    let parent = Bool.random(using: &random) ? lists.randomElement(using: &random) : nil
    let (title, text) = (value(), value())
    let rows = members(of: 1 - entity, here)
    let fields = Fields([title, text, parent.map { .object($0.id) } ?? .null, list(rows, of: entity)])
    let id = world.commit(on: device) { $0.insert(fields, in: entity) }
    written[Written(device: device, row: id, attribute: 0)] = title
    written[Written(device: device, row: id, attribute: 1)] = text
    wishes.edit(id, in: 1 - entity, from: [], to: rows, on: device)
    trace.note("insert \(id) \(fields) on \(device)")
    return id
  }

  private mutating func change(_ device: Int, _ here: [RowID]) -> RowID? {
    guard let id = here.randomElement(using: &random) else { return nil }
    let attribute = Int.random(in: 0...3, using: &random)
    if attribute == Self.members {
      changeMembers(of: id, device, here)
      return id
    }
    let parent = here.filter { $0.entity == Self.lists && $0 != id }.randomElement(using: &random)
    let value = attribute == 2 ? parent.map { .object($0.id) } ?? .null : value()
    world.commit(on: device) { $0.edit(id, attribute, value) }
    if attribute < 2 { written[Written(device: device, row: id, attribute: attribute)] = value }
    trace.note("edit \(id).\(attribute) to \(value) on \(device)")
    return id
  }

  /// A list of rows, in any order.
  private mutating func members(of entity: Int, _ here: [RowID]) -> [Int64] {
    let count = Int.random(in: 0...2, using: &random)
    return here.filter { $0.entity == entity }.map(\.id).shuffled(using: &random).prefix(count).map { $0 }
  }

  private func list(_ rows: [Int64], of entity: Int) -> SyncValue {
    .list(SyncList(rows, with: [:], isOrdered: entity == Self.lists))
  }

  private mutating func changeMembers(of id: RowID, _ device: Int, _ here: [RowID]) {
    guard case .list(let list)? = world.devices[device].store.rows[id]?.now?[Self.members] else { return }
    var rows = list.rows
    switch Int.random(in: 0...2, using: &random) {
    case 0: rows += members(of: 1 - id.entity, here).filter { !rows.contains($0) }
    case 1: if !rows.isEmpty { rows.remove(at: Int.random(in: rows.indices, using: &random)) }
    default: rows.shuffle(using: &random)
    }
    let value = self.list(rows, of: id.entity)
    world.commit(on: device) { $0.edit(id, Self.members, value) }
    wishes.look(at: world.devices[device].store, of: device)
    wishes.edit(id, in: 1 - id.entity, from: list.rows, to: rows, on: device)
    trace.note("edit \(id).\(Self.members) to \(rows) on \(device)")
  }

  private mutating func delete(_ device: Int, _ here: [RowID]) -> RowID? {
    guard let id = here.randomElement(using: &random) else { return nil }
    let key = world.devices[device].store.rows[id]?.key
    world.commit(on: device) { $0.delete(id) }
    for attribute in 0...1 { written[Written(device: device, row: id, attribute: attribute)] = nil }
    wishes.delete(id, key, on: device)
    world.judge.deleted(id, key, by: world.devices[device].store.replica)
    trace.note("delete \(id) on \(device)")
    return id
  }

  private mutating func foreign() {
    world.remember()
    let choice = Int.random(in: 0..<20, using: &random)
    guard let name = world.server.names.randomElement(using: &random) else { return }
    switch choice {
    case 0..<4:
      guard case .list(let old)? = world.server.rows[name]?.fields[Self.members] else { return }
      let others = world.server.names.filter { $0.entity != name.entity }.map { SyncValue.key($0.key) }
      let members = (old.members + others.shuffled(using: &random).prefix(2)).shuffled(using: &random)
      let list = SyncList(members.dropFirst(Int.random(in: 0...2, using: &random)), isOrdered: old.isOrdered)
      trace.note("foreign edit \(name).\(Self.members) to \(SyncValue.list(list))")
      world.server.change(name) { $0[Self.members] = .list(list) }
      wishes.edit(name, in: 1 - name.entity, from: old, to: list)
    case 4..<12:
      let (attribute, value) = (Int.random(in: 0...1, using: &random), value())
      trace.note("foreign edit \(name).\(attribute) to \(value)")
      world.server.change(name) { $0[attribute] = value }
    case 12..<16:
      let (value, rows) = (value(), world.server.rows)
      let name = world.server.insert(Fields([value, value, .null, list([], of: name.entity)]), in: name.entity)
      // A natural key may have been taken.
      if case .list(let old)? = rows[name]?.fields[Self.members] {
        wishes.edit(name, in: 1 - name.entity, from: old, to: SyncList([SyncValue](), isOrdered: old.isOrdered))
      }
      trace.note("foreign insert \(name)")
    case 16..<17 where !world.server.abilities.hasNaturalKeys:
      trace.note("foreign erasure \(name)")
      wishes.deleted(name)
      world.server.erase(name)
    default:
      trace.note("foreign delete \(name)")
      wishes.deleted(name)
      world.server.delete(name)
    }
  }
}
