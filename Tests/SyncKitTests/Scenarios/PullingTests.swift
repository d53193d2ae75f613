import Persistence
import SyncKit
import SyncTesting
import Testing

@Suite struct PullingTests {
  @Test func `rows of the server arrive, with their references`() throws {
    var world = try World()
    let list = world.insertThere("Films")
    _ = world.insertThere("Alien", of: list)
    try world.poll()
    let here = try #require(world.find("Films"))
    #expect(world.find("Alien")?.now?[2] == .object(here.id.id))
  }

  @Test func `a child that arrives first refers to its parent as soon as that arrives`() throws {
    var world = try World { $0.listing = .log(1) }
    let list = world.insertThere("Films")
    _ = world.insertThere("Alien", of: list)
    world.editThere(list, "Movies")
    try world.send(.poll, to: 0)
    try world.deliver(0)
    try world.deliver(0)
    #expect(world.find("Alien")?.now?[2] == .key(list.key))
    try world.deliverAll()
    #expect(world.find("Alien")?.now?[2] == (world.find("Movies")?.id.id).map { .object($0) })
  }

  @Test func `a page that was asked for before an answer does not overwrite it`() throws {
    var world = try World()
    let list = try world.insert("Films")
    try world.deliverAll()
    try world.send(.poll, to: 0)
    let pull = try #require(world.index { $0.isPull })
    try world.deliver(pull)
    try world.edit(list, "Books")
    let push = try #require(world.index { $0.isPush })
    try world.deliver(push)
    try world.deliver(try #require(world.index { $0.isPush }))
    try world.deliver(try #require(world.index { $0.isPull }))
    #expect(world.row(list)?.now?[0] == .text("Books"))
    #expect(world.row(list)?.isOwed == true)
    try world.deliverAll()
    #expect(world.row(list)?.isOwed == false)
  }

  @Test func `a row that is absent from a whole list is removed, and a row outside what a page covers is not`() throws {
    var world = try World { $0.listing = .byKey(2) }
    let names = ["A", "B", "C"].map { world.insertThere($0) }
    try world.poll()
    world.server.delete(names[0])
    world.server.delete(names[2])
    try world.send(.poll, to: 0)
    try world.deliver(0)
    #expect(world.find("A") != nil)
    try world.deliver(0)
    #expect(world.find("A") == nil)
    #expect(world.find("B") != nil)
    try world.deliverAll()
    #expect(world.find("C") == nil)
  }

  @Test func `a list in pages is read to its end while a row has to be read again`() throws {
    var world = try World {
      $0.listing = .shifting(2)
      $0.answersWithRows = false
    }
    for number in 0..<5 { _ = world.insertThere("\(number)") }
    try world.insert("Films")
    try world.deliverAll()
    try world.poll()
    #expect(world.devices[0].store.rows.count == 6)
    #expect(world.find("Films")?.isOwed == false)
  }

  @Test func `a row that two readings of pages do not have is removed, and one that shifted is not`() throws {
    var world = try World {
      $0.listing = .shifting(2)
      $0.listsTogether = true
    }
    let names = ["A", "B", "C", "D"].map { world.insertThere($0) }
    try world.poll()
    world.server.delete(names[3])
    try world.poll()
    #expect(world.find("D")?.isMissed == true)
    // While the list is read, each row moves to an earlier page.
    try world.send(.poll, to: 0)
    try world.deliver(0)
    try world.deliver(0)
    world.server.delete(names[0])
    try world.deliverAll()
    #expect(world.find("D") == nil)
    #expect(world.find("C")?.isMissed == true)
    try world.poll()
    #expect(world.find("C")?.isMissed == false)
    #expect(world.find("A")?.isMissed == true)
    try world.poll()
    #expect(world.find("A") == nil)
    #expect(world.devices[0].store.rows.count == 2)
  }

  @Test func `what a confirmed list does not have is removed at once`() throws {
    var world = try World {
      $0.listing = .shifting(10)
      $0.listsTogether = true
    }
    let names = (0..<25).map { world.insertThere("\($0)") }
    try world.poll()
    for name in names.dropLast(2) { world.server.delete(name) }
    try world.poll()
    #expect(world.devices[0].machine.doubted == ["all"])
    #expect(world.devices[0].store.rows.count == 25)
    try world.send(.trusted(scope: "all"), to: 0)
    try world.deliverAll()
    #expect(world.devices[0].machine.doubted.isEmpty)
    #expect(world.devices[0].store.rows.count == 2)
  }

  @Test func `what a list of changes left out is found when it is read from the beginning`() throws {
    var world = try World { $0.listing = .log(2) }
    let names = (0..<5).map { world.insertThere("\($0)") }
    try world.poll()
    // A change that was committed later than the position says.
    world.server.rows[names[1]]?.fields[0] = .text("new")
    try world.poll()
    #expect(world.find("1") != nil)
    try world.send(.poll, to: 0)
    try world.send(.reconcile, to: 0)
    try world.deliverAll()
    #expect(world.find("new") != nil && world.find("1") == nil)
    #expect(world.devices[0].store.rows.count == 5)
  }

  @Test func `a row that a reading does not have stays if it was changed here`() throws {
    var world = try World {
      $0.listing = .shifting(2)
      $0.listsTogether = true
    }
    let name = world.insertThere("A")
    try world.poll()
    let row = try #require(world.find("A"))
    world.server.delete(name)
    try world.poll()
    try world.edit(row.id, "B")
    try world.deliverAll()
    try world.poll()
    #expect(world.devices[0].store.reports.count == 1)
    #expect(world.find("B") == nil)
  }

  @Test func `a page that was lost is asked for again from the same position`() throws {
    var world = try World { $0.listing = .log(100) }
    _ = world.insertThere("Films")
    try world.poll()
    _ = world.insertThere("Books")
    try world.send(.poll, to: 0)
    try world.deliver(0)
    try world.restart(0)
    try world.deliverAll()
    #expect(world.find("Books") != nil)
  }

  @Test func `a change here of a row that is deleted there is reported`() throws {
    var world = try World()
    let list = try world.insert("Films")
    try world.deliverAll()
    world.commit(on: 0) { $0.edit(list, 0, .text("Books")) }
    world.server.delete(world.server.names[0])
    try world.send(.poll, to: 0)
    try world.deliver(try #require(world.index { $0.isPull }))
    try world.deliver(try #require(world.messages.firstIndex { !$0.isRequest }))
    try world.deliverAll()
    #expect(world.row(list) == nil)
    #expect(world.reports == [.deletedThere(World.fields("Books"))])
  }

  @Test func `a deletion here of a row that is changed there is reported, and the row is deleted`() throws {
    var world = try World()
    let list = try world.insert("Films")
    try world.deliverAll()
    world.editThere(world.server.names[0], "Books")
    world.commit(on: 0) { $0.delete(list) }
    world.judge.deleted(list, nil, by: 1)
    try world.poll()
    try world.poll()
    #expect(world.titlesThere.isEmpty)
    #expect(world.mistakes().isEmpty)
  }

  @Test func `what the server makes of a value is no conflict with an edit in the meantime`() throws {
    var world = try World { $0.changesValues = true }
    let list = try world.insert("Films")
    try world.edit(list, "text", in: 1)
    try world.deliverAll()
    #expect(world.row(list)?.now?[1] == .text("text'"))
    #expect(world.row(list)?.isChanged == false)
  }

  @Test(arguments: [19, 21])
  func `an empty answer deletes more than twenty rows only after the app has confirmed it`(count: Int) throws {
    var world = try World { $0.listing = .whole }
    let names = (0..<count).map { world.insertThere("\($0)") }
    try world.poll()
    #expect(world.devices[0].store.rows.count == count)
    for name in names { world.server.delete(name) }
    let added = world.insertThere("new")
    try world.poll()
    #expect(world.devices[0].store.rows.count == (count > 20 ? count + 1 : 1))
    #expect(world.devices[0].machine.doubted == (count > 20 ? ["all"] : []))
    try world.poll()
    #expect(world.devices[0].store.rows.count == (count > 20 ? count + 1 : 1))
    try world.send(.trusted(scope: "all"), to: 0)
    try world.deliverAll()
    #expect(world.devices[0].store.rows.values.compactMap(\.key) == [added.key])
    #expect(world.devices[0].machine.doubted.isEmpty)
  }

  @Test func `of a list with pages, each page that lacks most of its rows is doubted`() throws {
    var world = try World { $0.listing = .byKey(30) }
    let names = (0..<90).map { world.insertThere("\($0)") }
    try world.poll()
    for name in names[..<30] { world.server.delete(name) }
    try world.poll()
    // The first page reaches further now, and lacks half of what it covers.
    #expect(world.devices[0].store.rows.count == 60)
    for name in names[30..<89] { world.server.delete(name) }
    try world.poll()
    #expect(world.devices[0].store.rows.count == 60)
    #expect(world.devices[0].machine.doubted == ["all"])
    try world.send(.trusted(scope: "all"), to: 0)
    try world.deliverAll()
    #expect(world.devices[0].store.rows.count == 1)
  }

  @Test func `what changes behind the page in progress is read after a poll`() throws {
    var world = try World { $0.listing = .byKey(1) }
    let names = ["A", "B", "C"].map { world.insertThere($0) }
    try world.send(.poll, to: 0)
    try world.deliver(0)
    try world.deliver(0)
    world.editThere(names[0], "new")
    try world.poll()
    #expect(world.find("new") != nil)
  }
}
