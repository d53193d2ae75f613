import Persistence
import SyncKit
import SyncTesting
import Testing

/// What other engines have lost, as their users reported it.
@Suite struct KnownFailureTests {
  @Test func `a change that the server rejects does not block the queue (powersync.dart#307)`() throws {
    var world = try World { $0.remote.batch = .one }
    world.isRejecting = true
    for title in ["A", "B!", "C"] { try world.insert(title) }
    try world.deliverAll()
    #expect(world.titlesThere == ["A", "C"])
  }

  @Test func `devices are equal again after a rejected change is discarded (powersync.dart#308)`() throws {
    var world = try World(devices: 2)
    let list = try world.insert("Films")
    try world.deliverAll()
    try world.poll(1)
    world.isRejecting = true
    try world.edit(list, "Books!")
    try world.deliverAll()
    world.editThere(world.server.names[0], "theirs", in: 1)
    for device in 0...1 { try world.poll(device) }
    try world.send(.discard(list), to: 0)
    #expect(try world.heal())
    #expect(world.mistakes().isEmpty)
    #expect(world.row(list)?.now == world.find("Films", on: 1)?.now)
  }

  @Test func `the deletion of a parent by the server does not delete its children (sqlite-data#547)`() throws {
    var world = try World()
    let list = try world.insert("Films")
    let item = try world.insert("Alien", of: list)
    try world.deliverAll()
    world.server.delete(world.server.names[0])
    try world.poll()
    #expect(world.row(list) == nil)
    #expect(world.row(item)?.now?[0] == .text("Alien"))
    #expect(world.titlesThere == ["Alien"])
  }

  @Test func `a child that waits arrives although its parent was deleted there (sqlite-data#547)`() throws {
    var world = try World()
    let list = try world.insert("Films")
    try world.deliverAll()
    world.server.delete(world.server.names[0])
    try world.insert("Alien", of: list)
    try world.poll()
    try world.poll()
    #expect(world.titlesThere == ["Alien"])
    #expect(world.mistakes().isEmpty)
  }

  @Test func `a row that is edited while it is sent and while it is read is not lost (sqlite-data#418, #424)`() throws {
    var world = try World(devices: 2)
    let list = try world.insert("1")
    try world.send(.poll, to: 0)
    try world.edit(list, "2")
    for _ in 0..<20 where !world.messages.isEmpty {
      try world.deliver(0)
      try world.send(.poll, to: 1)
    }
    try world.edit(list, "3")
    #expect(try world.heal())
    #expect(world.titlesThere == ["3"])
    #expect(world.find("3", on: 1) != nil)
  }

  @Test func `rows that a delta left out arrive with the next whole list (Nosdesk#234)`() throws {
    var world = try World { $0.answersWithRows = false }
    _ = world.insertThere("A")
    try world.poll()
    // A page that says where it ends, and does not contain what was committed late.
    _ = world.insertThere("B")
    try world.send(.poll, to: 0)
    let pull = try #require(world.index { $0.isPull })
    guard case .pull(let request, _, _) = world.messages.remove(at: pull).action else { return }
    try world.send(.pulled(request: request, Page([], position: "1")), to: 0)
    #expect(world.find("A") != nil, "a page removes only what it covers")
    try world.poll()
    #expect(world.find("B") != nil)
  }

  @Test func `of a thousand rows with a poisonous one, 999 arrive`() throws {
    var world = try World { $0.remote.batch = .many(1000) }
    world.isRejecting = true
    world.commit(on: 0) { store in
      for number in 0..<1000 {
        let row = store.insert(World.fields(number == 500 ? "poison!" : "\(number)"), in: Simulation.lists)
        store.tie([row])
      }
    }
    try world.send(.changed, to: 0)
    try world.deliverAll()
    #expect(world.server.rows.count == 999)
    #expect(world.devices[0].store.changed(after: nil).count == 1)
  }

  @Test func `of a thousand commits that also edit one list, with a poisonous one, 999 arrive`() throws {
    var world = try World { $0.remote.batch = .many(1000) }
    let list = try world.insert("Films")
    try world.deliverAll()
    world.isRejecting = true
    world.commit(on: 0) { store in
      for number in 0..<1000 {
        let row = store.insert(World.fields(number == 500 ? "poison!" : "\(number)", of: list), in: Simulation.items)
        // The order of the list is independent: it does not tie.
        store.edit(list, 1, .text("\(number) is last"))
        store.tie([row])
      }
    }
    try world.send(.changed, to: 0)
    try world.deliverAll()
    #expect(world.server.rows.count == 1000)
    #expect(world.server.rows[world.server.names[0]]?.fields[1] == .text("999 is last"))
  }
}
