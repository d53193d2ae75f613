import Persistence
import SyncKit
import SyncTesting
import Testing

@Suite struct OutcomeTests {
  @Test func `a conflict takes on what the server has, and the change is sent again`() throws {
    var world = try World {
      $0.remote.versions = .opaque
      $0.remote.comparesVersions = true
    }
    let list = try world.insert("Films")
    try world.deliverAll()
    world.editThere(world.server.names[0], "theirs", in: 1)
    try world.edit(list, "Books")
    try world.deliverAll()
    let there = world.server.rows.values.map { $0.fields.values.prefix(2) }
    #expect(there == [[.text("Books"), .text("theirs")]])
    #expect(world.row(list)?.now?[1] == .text("theirs"))
    #expect(world.reports.isEmpty)
  }

  @Test func `a rejected row waits with its reason, and an edit sends it again`() throws {
    var world = try World()
    world.isRejecting = true
    let list = try world.insert("Films!")
    try world.deliverAll()
    guard case .rejected("poison", _)? = world.row(list)?.hold else {
      Issue.record("it is not held")
      return
    }
    try world.edit(list, "Films")
    try world.deliverAll()
    #expect(world.titlesThere == ["Films"])
    #expect(world.row(list)?.hold == nil)
  }

  @Test func `a rejected change that is discarded becomes what the server has`() throws {
    var world = try World()
    let list = try world.insert("Films")
    try world.deliverAll()
    world.isRejecting = true
    try world.edit(list, "Books!")
    try world.deliverAll()
    try world.send(.discard(list), to: 0)
    #expect(world.row(list)?.now?[0] == .text("Films"))
    #expect(world.row(list)?.isChanged == false)
  }

  @Test func `deleting what the server has already deleted succeeds`() throws {
    var world = try World()
    let list = try world.insert("Films")
    try world.deliverAll()
    world.server.delete(world.server.names[0])
    try world.delete(list)
    try world.deliverAll()
    #expect(world.devices[0].store.rows.isEmpty)
    #expect(world.reports.isEmpty)
  }

  @Test func `of a row that the server has erased, only a report without values remains`() throws {
    var world = try World()
    let list = try world.insert("Films")
    try world.deliverAll()
    world.server.erase(world.server.names[0])
    try world.edit(list, "Books")
    try world.deliverAll()
    #expect(world.devices[0].store.rows.isEmpty)
    #expect(world.reports == [.erased])
  }

  @Test func `two devices that make the same natural key share the row, and what was given up is reported`() throws {
    var world = try World(.clientKey, devices: 2) { $0.hasNaturalKeys = true }
    for device in 0...1 { try world.insert("Films of \(device)", on: device) }
    #expect(world.pushes.map { $0.changes.map(\.key) }[0] == world.pushes.map { $0.changes.map(\.key) }[1])
    try world.deliverAll()
    #expect(world.titlesThere == ["Films of 0"])
    #expect(world.find("Films of 0", on: 1) != nil)
    #expect(world.devices[1].store.reports.count == 1)
  }

  @Test func `a natural key is free again once the server has deleted the row that had it`() throws {
    var world = try World(.clientKey, devices: 2) {
      $0.hasNaturalKeys = true
      $0.answersWithRows = false
    }
    for device in 0...1 { try world.insert("Films of \(device)", on: device) }
    try world.deliver(0)
    try world.deliver(0)
    world.server.delete(world.server.names[0])
    try world.deliverAll()
    try world.poll(1)
    #expect(world.titlesThere == ["Films of 1"])
  }

  @Test func `a row that gets the key of another one while that is being deleted is seen`() throws {
    var world = try World(.clientKey, devices: 2) {
      $0.hasNaturalKeys = true
      $0.listing = .log(1000)
    }
    let list = try world.insert("old")
    try world.deliverAll()
    try world.poll()
    try world.delete(list)
    try world.deliver(0)
    try world.insert("new", on: 1)
    try world.deliver(try #require(world.messages.firstIndex { $0.device == 1 }))
    #expect(world.titlesThere == ["new"])
    try world.send(.poll, to: 0)
    for _ in 0..<2 { try world.deliver(try #require(world.messages.firstIndex { $0.action.isPull })) }
    #expect(try world.heal())
    #expect(world.find("new") != nil)
  }

  @Test func `a batch that is atomic takes effect as a whole or not at all`() throws {
    var world = try World { $0.remote.batch = .atomic(100) }
    world.isRejecting = true
    let rows = try world.save { store in ["A", "B!"].map { store.insert(World.fields($0), in: Simulation.lists) } }
    try world.deliverAll()
    #expect(world.titlesThere.isEmpty)
    try world.edit(rows[1], "B")
    try world.deliverAll()
    #expect(world.titlesThere == ["A", "B"])
  }
}
