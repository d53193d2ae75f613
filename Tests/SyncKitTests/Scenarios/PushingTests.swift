import Persistence
import SyncKit
import SyncTesting
import Testing

@Suite struct PushingTests {
  @Test func `a new row is sent at once, and gets the key that the server assigns`() throws {
    var world = try World()
    let list = try world.insert("Films")
    #expect(world.pushes.map(\.changes.count) == [1])
    try world.deliverAll()
    #expect(world.titlesThere == ["Films"])
    #expect(world.row(list)?.key == SyncKey(.integer(1)))
    #expect(world.row(list)?.isChanged == false)
  }

  @Test func `a change that is put back before it is sent is not sent`() throws {
    var world = try World()
    let list = try world.insert("Films")
    try world.deliverAll()
    world.commit(on: 0) { store in
      store.edit(list, 0, .text("Books"))
      store.edit(list, 0, .text("Films"))
    }
    try world.send(.changed, to: 0)
    #expect(world.messages.isEmpty)
    #expect(world.row(list)?.base == .same)
  }

  @Test func `a thousand changes of an attribute are sent as one`() throws {
    var world = try World()
    let list = try world.insert("Films")
    try world.deliverAll()
    world.commit(on: 0) { store in for number in 0..<1000 { store.edit(list, 0, .text("\(number)")) } }
    try world.send(.changed, to: 0)
    #expect(world.pushes.map { $0.changes.map(\.fields.values) } == [[[.text("999"), nil, nil]]])
  }

  @Test func `a change during a push is sent after it, and what is in flight does not grow`() throws {
    var world = try World()
    let list = try world.insert("Films")
    try world.edit(list, "Books")
    #expect(world.pushes.map { $0.changes.map(\.fields[0]) } == [[.text("Films")]])
    try world.deliverAll()
    #expect(world.titlesThere == ["Books"])
    #expect(world.row(list)?.isChanged == false)
  }

  @Test func `a push without an answer is repeated with its number and its values`() throws {
    var world = try World()
    let list = try world.insert("Films")
    let first = try #require(world.pushes.first)
    try world.deliver(0)
    try world.lose(0)
    try world.edit(list, "Books")
    #expect(world.messages.isEmpty)
    while try world.pushes.isEmpty && world.wake() {}
    let second = try #require(world.pushes.first)
    #expect(second.push == first.push)
    #expect(second.isRepeated)
    #expect(second.changes == first.changes)
    try world.deliverAll()
    #expect(world.titlesThere == ["Books"])
  }

  @Test func `a creation without an answer is looked for where the server can find it`() throws {
    var world = try World(.find)
    try world.insert("Films")
    try world.deliver(0)
    try world.restart(0)
    #expect(world.index { $0.isFind } != nil)
    try world.deliverAll()
    #expect(world.titlesThere == ["Films"])
  }

  @Test func `a creation without an answer is not repeated where no one can recognize it`() throws {
    var world = try World(.none)
    let list = try world.insert("Films")
    try world.deliver(0)
    try world.restart(0)
    #expect(world.pushes.isEmpty)
    guard case .unconfirmed? = world.row(list)?.hold else {
      Issue.record("the row is not held")
      return
    }
    let name = try #require(world.server.names.first)
    try world.send(.confirmed(list, world.server.remoteRow(name)), to: 0)
    try world.deliverAll()
    #expect(world.titlesThere == ["Films"])
    #expect(world.row(list)?.key == name.key)
  }

  @Test func `an atomic batch with a creation that is unconfirmed is not repeated in part`() throws {
    var world = try World(.none) { $0.remote.batch = .atomic(100) }
    let item = try world.insert("Alien", of: try world.insert("Films"))
    try world.deliverAll()
    try world.save { store in
      let list = store.insert(World.fields("Horror"), in: Simulation.lists)
      store.edit(item, 2, .object(list.id))
      return [list, item]
    }
    try world.restart(0)
    #expect(world.pushes.isEmpty)
    #expect(world.row(item)?.sent == nil)
  }

  @Test func `after a kill, a row whose outcome was recorded is not sent again`() throws {
    var world = try World()
    try world.save { store in ["A", "B"].map { store.insert(World.fields($0), in: Simulation.lists) } }
    try world.deliver(0)
    try world.deliverPart(of: 0)
    try world.restart(0)
    #expect(world.pushes.map { $0.changes.map(\.fields[0]) } == [[.text("B")]])
  }

  @Test func `parents are sent before their children, which name their keys`() throws {
    var world = try World { $0.remote.batch = .one }
    let rows = try world.save { store in
      let list = store.insert(World.fields("Films"), in: Simulation.lists)
      return [list, store.insert(World.fields("Alien", of: list), in: Simulation.items)]
    }
    #expect(world.pushes.map { $0.changes.map(\.row) } == [[rows[0]]])
    try world.deliver(0)
    try world.deliver(0)
    #expect(world.pushes.map { $0.changes.map(\.fields[2]) } == [[.key(SyncKey(.integer(1)))]])
  }

  @Test func `new rows that refer to each other arrive, and the last reference follows`() throws {
    var world = try World { $0.remote.batch = .one }
    try world.save { store in
      let first = store.insert(World.fields("A"), in: Simulation.lists)
      let second = store.insert(World.fields("B", of: first), in: Simulation.lists)
      store.edit(first, 2, .object(second.id))
      return [first, second]
    }
    try world.deliverAll()
    #expect(world.mistakes().isEmpty)
    let references = world.server.rows.values.map { $0.fields[2] }
    #expect(!references.contains(.null))
  }

  @Test func `a new row of a cycle that is rejected is not sent again at once`() throws {
    var world = try World { $0.remote.batch = .one }
    world.isRejecting = true
    try world.save { store in
      let first = store.insert(World.fields("A!"), in: Simulation.lists)
      let second = store.insert(World.fields("B!", of: first), in: Simulation.lists)
      store.edit(first, 2, .object(second.id))
      return [first, second]
    }
    try world.deliver(0)
    try world.deliver(0)
    #expect(world.pushes.isEmpty)
  }

  @Test func `a server that is busy is asked again after the time that it names`() throws {
    var world = try World()
    try world.insert("Films")
    try world.fail(0, .later(3000))
    #expect(world.messages.isEmpty)
    while try world.pushes.isEmpty && world.wake() {}
    #expect(world.now >= 3000)
    #expect(world.pushes.map(\.isRepeated) == [false])
  }

  @Test func `without a sign-in, nothing is sent until the next poll`() throws {
    var world = try World()
    try world.insert("Films")
    try world.fail(0, .unauthorized)
    try world.insert("Books")
    while try world.wake() {}
    #expect(world.messages.isEmpty)
    try world.poll()
    #expect(world.titlesThere == ["Films", "Books"])
  }

  @Test func `an unconfirmed row that was deleted under the number of a page takes no other row with it`() throws {
    var world = try World(.none) { ($0.remote.fetchesRows, $0.answersWithRows) = (true, false) }
    let item = try world.save { [$0.insert(World.fields("Alien"), in: Simulation.items)] }[0]
    try world.deliverAll()
    let list = try world.insert("Films")
    try world.deliver(0)
    try world.lose(0)
    while world.row(list)?.sent != nil { _ = try world.wake() }
    try world.save { store in
      store.edit(item, 2, .object(list.id))
      return [item]
    }
    try world.poll()
    let name = try #require(world.server.names.first { $0.entity == Simulation.lists })
    let twin = try #require(world.devices[0].store.find(name.key, in: Simulation.lists))
    #expect(twin != list)
    // What is in flight keeps the deletion from being sent.
    try world.save { [$0.insert(World.fields("Brazil"), in: Simulation.items)] }
    try world.delete(twin)
    try world.send(.confirmed(list, world.server.remoteRow(name)), to: 0)
    let reference = world.row(item)?.now?[2]
    #expect(reference != .object(list.id))
    #expect(try world.heal())
    #expect(world.titlesThere.sorted() == ["Alien", "Brazil"])
    #expect(world.find("Alien") != nil)
  }
}
