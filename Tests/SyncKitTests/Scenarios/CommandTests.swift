import Foundation
import Persistence
import SyncKit
import SyncTesting
import Testing

/// What happens once: each outcome, each failure, and a kill at each moment.
@Suite struct CommandTests {
  private func world(
    recognizes: Bool = true, _ settling: CreationSettling = .idempotencyKey,
    _ change: (inout MemoryServer.Abilities) -> Void = { _ in }
  ) throws -> World {
    try World(settling) {
      $0.remote.recognizesCommands = recognizes
      change(&$0)
    }
  }

  @Test func `a command follows its row with the row's key, and what it changed there is read`() throws {
    var world = try world()
    let list = try world.save { [$0.insert(World.fields("Films"), in: 0)] }[0]
    let send = try world.enqueue("send", "to all", after: [list])
    #expect(world.commands.isEmpty)
    #expect(world.pushes.count == 1)
    try world.deliver(0)
    try world.deliver(0)
    let request = try #require(world.commands.first)
    #expect((request.id, request.name, request.payload) == (send, "send", Data("to all".utf8)))
    #expect(request.names == [world.server.names[0]])
    #expect(!request.isRepeated)
    try world.deliverAll()
    #expect(world.state(of: send) == nil)
    #expect(world.server.performed == [send: 1])
    #expect(world.row(list)?.now?[1] == .text("by \(send)"))
  }

  @Test func `an edit after a command is sent before it, too`() throws {
    var world = try world()
    let list = try world.insert("Films")
    try world.deliverAll()
    world.isRejecting = true
    try world.edit(list, "Films!")
    try world.deliverAll()
    let send = try world.enqueue("send", after: [list])
    #expect(world.commands.isEmpty)
    #expect(world.state(of: send) == .waiting)
    try world.edit(list, "Books")
    #expect(world.commands.isEmpty)
    try world.deliverAll()
    #expect(world.server.performed == [send: 1])
  }

  @Test func `a change that was put back holds no command`() throws {
    var world = try world()
    let list = try world.insert("Films")
    try world.deliverAll()
    world.commit(on: 0) { store in
      store.edit(list, 0, .text("Books"))
      store.edit(list, 0, .text("Films"))
    }
    try world.enqueue("send", after: [list])
    #expect(world.commands.count == 1)
  }

  @Test func `a change that was put back while it was sent holds a command`() throws {
    var world = try world()
    let list = try world.insert("Films")
    try world.deliverAll()
    for title in ["Books", "Films"] { try world.edit(list, title) }
    try world.enqueue("send", after: [list])
    #expect(world.commands.isEmpty)
    try world.deliverAll()
    #expect(world.titlesThere == ["Films"])
    #expect(world.server.performed.count == 1)
  }

  @Test func `commands are sent one at a time in their order, and those of another queue at the same time`() throws {
    var world = try world()
    let first = try world.enqueue("1", queue: "a")
    let second = try world.enqueue("2", queue: "a")
    let other = try world.enqueue("3", queue: "b")
    #expect(world.commands.map(\.id) == [first, other])
    try world.deliverAll()
    #expect(world.server.commands.map(\.id).filter { $0 != other } == [first, second])
    #expect(world.server.performed.count == 3)
  }

  @Test func `a rejected command holds the later ones of its queue until the app decides`() throws {
    var world = try world()
    world.isRejecting = true
    let poison = try world.enqueue("1", "!", queue: "a")
    let held = try world.enqueue("2", queue: "a")
    let other = try world.enqueue("3", queue: "b")
    try world.deliverAll()
    #expect(world.state(of: poison) == .rejected(reason: "poison"))
    #expect(world.state(of: held) == .waiting)
    #expect(world.state(of: other) == nil)
    try world.send(.decided(command: poison, isWanted: true), to: 0)
    #expect(world.commands.map(\.id) == [poison])
    try world.deliverAll()
    #expect(world.state(of: poison) == .rejected(reason: "poison"))
    try world.send(.decided(command: poison, isWanted: false), to: 0)
    try world.deliverAll()
    #expect(world.server.commands.map(\.id) == [other, held])
  }

  @Test func `a command that waits can be discarded, and one in flight cannot`() throws {
    var world = try world()
    let (first, second) = (try world.enqueue("1"), try world.enqueue("2"))
    for command in [first, second] { try world.send(.decided(command: command, isWanted: false), to: 0) }
    #expect(world.state(of: first) == .sending(attempts: 1))
    #expect(world.state(of: second) == nil)
    try world.deliverAll()
    #expect(world.server.performed == [first: 1])
  }

  @Test func `a command whose row was deleted here or there is rejected`() throws {
    var world = try world()
    let rows = [try world.insert("A"), try world.insert("B")]
    try world.deliverAll()
    world.server.delete(world.server.names[1])
    try world.poll()
    let there = try world.enqueue("there", after: [rows[1]], queue: "a")
    world.commit(on: 0) { $0.delete(rows[0]) }
    world.judge.deleted(rows[0], world.server.names[0].key, by: 1)
    let here = try world.enqueue("here", after: [rows[0]], queue: "b")
    let reason = "an object that it needs does not exist any more"
    #expect(world.state(of: there) == .rejected(reason: reason))
    #expect(world.state(of: here) == .rejected(reason: reason))
    #expect(world.server.performed.isEmpty)
  }

  @Test func `nothing of a row that the server has erased remains in a command`() throws {
    var world = try world()
    let list = try world.insert("Films")
    try world.deliverAll()
    world.server.erase(world.server.names[0])
    world.commit(on: 0) { $0.edit(list, 0, .text("Books")) }
    let send = try world.enqueue("send", "about Films", after: [list])
    try world.deliverAll()
    guard case .rejected? = world.state(of: send) else {
      Issue.record("\(String(describing: world.state(of: send)))")
      return
    }
    #expect(world.devices[0].store.command(send)?.payload.isEmpty == true)
  }

  @Test(arguments: [false, true]) func `a lost answer is settled by the number of the command`(isKilled: Bool) throws {
    var world = try world()
    let list = try world.insert("Films")
    try world.deliverAll()
    let send = try world.enqueue("send", "text", after: [list])
    let request = try #require(world.commands.first)
    try world.deliver(try #require(world.index { $0.isPerform }))
    // It says the same although its row is not here any more.
    world.server.delete(world.server.names[0])
    try world.fail(isKilled)
    var again = try #require(world.commands.first)
    #expect(again.isRepeated)
    again.state = request.state
    #expect(again == request)
    try world.deliverAll()
    #expect(world.state(of: send) == nil)
    #expect(world.server.performed == [send: 1])
  }

  @Test(arguments: [false, true], [false, true])
  func `an unrecognized command without an answer is not sent again, unless the app says so`(
    isKilled: Bool, isPerformed: Bool
  ) throws {
    var world = try world(recognizes: false)
    let (send, later) = (try world.enqueue("send"), try world.enqueue("later"))
    if isPerformed { try world.deliver(try #require(world.index { $0.isPerform })) }
    try world.fail(isKilled)
    #expect(world.state(of: send) == .unconfirmed)
    world.now += 1_000_000
    try world.poll()
    #expect(world.state(of: send) == .unconfirmed)
    #expect(world.state(of: later) == .waiting)
    try world.send(.decided(command: send, isWanted: !isPerformed), to: 0)
    try world.deliverAll()
    #expect(world.server.performed == [send: 1, later: 1])
  }

  @Test func `a command that a busy server does not take is sent later, and is not a repetition`() throws {
    var world = try world(recognizes: false)
    let send = try world.enqueue("send")
    try world.fail(0, .later(5000))
    #expect(world.state(of: send) == .waiting)
    world.now += 4999
    try world.send(.woke, to: 0)
    #expect(world.commands.isEmpty)
    world.now += 1
    try world.send(.woke, to: 0)
    #expect(world.commands.map(\.isRepeated) == [false])
  }

  @Test func `a command without an answer delays no row and no other queue`() throws {
    var world = try world()
    let send = try world.enqueue("send", queue: "a")
    for _ in 0..<6 {
      try world.lose(try #require(world.index { $0.isPerform }))
      while world.commands.isEmpty, try world.wake() {}
    }
    try world.lose(try #require(world.index { $0.isPerform }))
    try world.insert("Films")
    let other = try world.enqueue("other", queue: "b")
    try world.deliverAll()
    #expect(world.titlesThere == ["Films"])
    #expect(world.server.performed == [other: 1])
    #expect(world.state(of: send) == .sending(attempts: 7))
  }

  @Test func `after a lost answer, a busy server says nothing about the first attempt`() throws {
    var world = try world()
    let send = try world.enqueue("send")
    try world.deliver(0)
    try world.lose(0)
    while world.commands.isEmpty, try world.wake() {}
    try world.fail(try #require(world.index { $0.isPerform }), .later(nil))
    #expect(world.state(of: send) == .sending(attempts: 2))
    #expect(try world.heal())
    #expect(world.server.performed == [send: 1])
  }

  @Test func `who is signed out sends no command until the next poll`() throws {
    var world = try world(recognizes: false)
    let send = try world.enqueue("send")
    try world.fail(0, .unauthorized)
    try world.enqueue("other", queue: "b")
    #expect(world.messages.isEmpty)
    try world.poll()
    #expect(world.server.performed.count == 2)
    #expect(world.server.performed[send] == 1)
  }

  @Test func `an older copy of a store repeats its commands under the same numbers`() throws {
    var world = try world()
    let send = try world.enqueue("send")
    world.devices[0].copy = world.devices[0].store
    try world.deliverAll()
    #expect(world.state(of: send) == nil)
    try world.restore(0, as: 7)
    let new = try world.enqueue("new")
    try world.deliverAll()
    #expect(world.server.performed == [send: 1, new: 1])
  }

  @Test func `a command about a row that turns out to be another one follows it`() throws {
    var world = try world(.none)
    let list = try world.insert("Films")
    try world.deliver(0)
    try world.restart(0)
    try world.deliverAll()
    try world.poll()
    let copy = try #require(world.devices[0].store.rows.values.first { $0.key != nil }?.id)
    #expect(copy != list)
    try world.edit(copy, "more", in: 1)
    let send = try world.enqueue("send", after: [copy])
    let remote = try #require(world.server.remoteRow(world.server.names[0]))
    try world.deliverAll()
    let held = try world.enqueue("held", after: [list, copy])
    #expect(world.state(of: send) == nil)
    try world.send(.confirmed(list, remote), to: 0)
    #expect(world.row(copy) == nil)
    try world.deliverAll()
    #expect(world.state(of: held) == nil)
    #expect(world.server.performed == [send: 1, held: 1])
    #expect(world.server.commands.last?.names == [remote.name, remote.name])
  }
}

extension World {
  @discardableResult
  fileprivate mutating func enqueue(
    _ name: String, _ text: String = "", after rows: [RowID] = [], queue: String = ""
  ) throws -> Int64 {
    let id = commit(on: 0) { $0.enqueue(name, text, after: rows, queue: queue) }
    judge.enqueued(id)
    try send(.changed, to: 0)
    return id
  }

  fileprivate func state(of command: Int64) -> StoredCommand.State? { devices[0].store.command(command)?.state }

  /// The commands on their way to the server.
  fileprivate var commands: [StoredCommand] {
    messages.compactMap { if case .request(_, .perform(let request), _) = $0 { request } else { nil } }
  }

  /// The process ends while the command is in flight, or the message is lost and time passes.
  fileprivate mutating func fail(_ isKilled: Bool) throws {
    if isKilled { return try restart(0) }
    if let index = index(where: \.isPerform) { try lose(index) }
    while commands.isEmpty, try wake() {}
  }
}

extension SyncAction {
  fileprivate var isPerform: Bool { if case .perform = self { true } else { false } }
}
