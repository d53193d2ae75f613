import Persistence
import SyncKit
import SyncTesting
import Testing

/// Members of lists that are new, deleted, or have not arrived.
@Suite struct ListScenarioTests {
  private static func world(
    devices: Int = 1, _ change: (inout MemoryServer.Abilities) -> Void = { _ in }
  ) -> World {
    var abilities = MemoryServer.Abilities()
    abilities.remote.batch = .many(100)
    abilities.remote.versions = .ordered
    abilities.remote.comparesVersions = true
    change(&abilities)
    return World(Simulation.model(.idempotencyKey, hasLists: true), abilities, devices: devices)
  }

  private static func set(_ rows: [RowID]) -> SyncValue {
    .list(SyncList(rows.map { .object($0.id) }, isOrdered: false))
  }

  private func item(_ title: String, _ tags: [RowID] = []) -> Fields {
    Fields([.text(title), .text(""), .null, Self.set(tags)])
  }

  private func tag(_ title: String) -> Fields {
    Fields([.text(title), .text(""), .null, .list(SyncList([SyncValue](), isOrdered: true))])
  }

  private func tags(_ world: World, _ title: String) -> [String] {
    let row = world.server.rows.values.first { $0.fields[0] == .text(title) }
    return (row?.fields[3]?.references ?? []).compactMap { reference in
      guard case .key(let key) = reference else { return nil }
      return world.server.rows[RemoteName(Simulation.lists, key)]?.fields[0]?.description
    }
  }

  private func tag(_ world: inout World, _ device: Int, _ title: String, _ tags: [String]) throws {
    let rows = tags.compactMap { world.find($0, on: device)?.id }
    let item = try #require(world.find(title, on: device))
    try world.save(on: device) { store in
      store.edit(item.id, 3, Self.set(rows))
      return [item.id]
    }
  }

  @Test func `a rejected item with a tag that is deleted here is not sent again and again`() throws {
    var world = Self.world { $0.remote.batch = .atomic(10) }
    try world.save { store in
      [store.insert(tag("red"), in: Simulation.lists), store.insert(item("one"), in: Simulation.items)]
    }
    try world.deliverAll()
    let (red, one) = (try #require(world.find("red")), try #require(world.find("one")))
    let (redThere, oneThere) = (world.server.names[0], world.server.names[1])
    world.isRejecting = true
    try world.save { store in
      store.delete(red.id)
      store.edit(one.id, 1, .text("bad!"))
      return [red.id, one.id]
    }
    try world.deliverAll()
    world.server.change(oneThere) { $0[3] = .list(SyncList([.key(redThere.key)], isOrdered: false)) }
    #expect(try world.heal())
    guard case .rejected = world.row(one.id)?.hold else {
      Issue.record("\(String(describing: world.row(one.id)))")
      return
    }
  }

  @Test(arguments: [RemoteCapabilities.Batch.one, .many(10), .atomic(10)])
  func `an item follows the new tags that it has`(_ batch: RemoteCapabilities.Batch) throws {
    var world = Self.world { $0.remote.batch = batch }
    try world.save { store in
      let red = store.insert(tag("red"), in: Simulation.lists)
      return [red, store.insert(item("one", [red]), in: Simulation.items)]
    }
    let first = try #require(world.pushes.first)
    #expect(first.changes.map(\.row.entity) == (batch.isAtomic ? [0, 1] : [0]))
    try world.deliverAll()
    #expect(tags(world, "one") == ["red"])
    #expect(world.find("one")?.base == .same)
  }

  @Test func `two devices add and remove different tags, and both have all of it`() throws {
    var world = Self.world(devices: 2)
    try world.save { store in
      let tags = ["red", "green", "blue", "old"].map { store.insert(tag($0), in: Simulation.lists) }
      return [store.insert(item("one", [tags[0], tags[3]]), in: Simulation.items)]
    }
    try world.deliverAll()
    try world.poll(1)
    try tag(&world, 0, "one", ["red", "old", "green"])
    try tag(&world, 1, "one", ["red", "blue"])
    #expect(try world.heal())
    #expect(tags(world, "one").sorted() == ["blue", "green", "red"])
    #expect(world.mistakes() == [])
    #expect(world.devices.allSatisfy { $0.store.reports.isEmpty })
  }

  @Test func `a tag that is deleted there leaves the items here, and is no conflict with having added it`() throws {
    var world = Self.world()
    let red = world.server.insert(tag("red"), in: Simulation.lists)
    let one = world.server.insert(item("one"), in: Simulation.items)
    try world.poll()
    world.server.delete(red)
    try tag(&world, 0, "one", ["red"])
    #expect(try world.heal())
    #expect(world.find("one")?.now?[3] == Self.set([]))
    #expect(world.server.rows[one]?.fields[3] == Self.set([]))
    #expect(world.reports.isEmpty && world.mistakes().isEmpty)
  }

  @Test func `a tag that is deleted here leaves the items there`() throws {
    var world = Self.world()
    let red = world.server.insert(tag("red"), in: Simulation.lists)
    var fields = item("one")
    fields[3] = .list(SyncList([.key(red.key)], isOrdered: false))
    _ = world.server.insert(fields, in: Simulation.items)
    try world.poll()
    #expect(world.find("one")?.now?[3]?.references.count == 1)
    try world.delete(try #require(world.find("red")).id)
    #expect(try world.heal())
    #expect(tags(world, "one") == [])
    #expect(world.server.rows[red] == nil)
    #expect(world.mistakes() == [])
  }

  @Test func `a tag that arrives after its items is a member then`() throws {
    var world = Self.world { $0.listing = .byKey(1) }
    var fields = item("one")
    fields[3] = .list(SyncList([.key(2)], isOrdered: false))
    _ = world.server.insert(fields, in: Simulation.items)
    try world.poll()
    #expect(world.find("one")?.now?[3]?.references == [.key(2)])
    _ = world.server.insert(tag("red"), in: Simulation.lists)
    // What the app adds in the meantime does not remove it.
    let blue = try world.save { [$0.insert(tag("blue"), in: Simulation.lists)] }[0]
    try tag(&world, 0, "one", ["blue"])
    try world.poll()
    let red = try #require(world.find("red"))
    #expect(world.find("one")?.now?[3] == Self.set([red.id, blue]))
    #expect(try world.heal())
    #expect(world.mistakes() == [])
  }

  @Test func `a rejected tag holds its items, and giving it up lets them go without it`() throws {
    var world = Self.world()
    world.isRejecting = true
    let rows = try world.save { store in
      let red = store.insert(tag("red!"), in: Simulation.lists)
      return [red, store.insert(item("one", [red]), in: Simulation.items)]
    }
    try world.deliverAll()
    #expect(world.titlesThere == [])
    try world.send(.discard(rows[0]), to: 0)
    try world.deliverAll()
    #expect(world.titlesThere == ["one"])
    #expect(world.row(rows[1])?.now?[3] == Self.set([]))
  }
}
