import Persistence
import SyncKit
import SyncTesting
import Testing

/// When requests are made again, and what a failure says about the others.
@Suite struct DelayTests {
  @Test func `a failure of one request of a push leaves the other rows unknown`() throws {
    var world = try World { $0.remote.batch = .many(2) }
    try world.save { store in
      let rows = ["A", "B"].map { store.insert(World.fields($0), in: 0) }
      store.untie(rows[0], upTo: .max)
      return [rows[1]]
    }
    let push = try #require(world.pushes.first)
    #expect(push.changes.count == 2)
    world.messages = []
    // The server has made one of them, and is busy with the other one.
    _ = world.server.push(push, isRejecting: false)
    try world.send(.ended(push: push.push, .later(nil)), to: 0)
    world.now += 1_000_000
    try world.send(.woke, to: 0)
    #expect(world.pushes.first?.isRepeated == true)
    #expect(world.pushes.first?.push == push.push)
    try world.deliverAll()
    #expect(world.titlesThere.sorted() == ["A", "B"])
  }

  @Test func `a row that a busy server does not take is sent again later as something new`() throws {
    var world = try World()
    let list = try world.insert("A")
    let push = try #require(world.pushes.first)
    world.messages = []
    try world.send(.recorded(push: push.push, [list: .failed(.later(5000))]), to: 0)
    try world.send(.ended(push: push.push, nil), to: 0)
    #expect(world.pushes.isEmpty)
    world.now += 4999
    try world.send(.woke, to: 0)
    #expect(world.pushes.isEmpty)
    world.now += 1
    try world.send(.woke, to: 0)
    let second = try #require(world.pushes.first)
    #expect(second.push != push.push)
    #expect(!second.isRepeated)
  }

  @Test func `rows that were changed apart share a batch that has outcomes of its own, up to its limit`() throws {
    var world = try World { $0.remote.batch = .many(3) }
    world.isRejecting = true
    let first = try world.insert("first")
    #expect(world.pushes.map(\.changes.count) == [1])
    for title in ["A", "B!", "C", "D"] { try world.insert(title) }
    try world.deliver(0)
    try world.deliver(0)
    #expect(world.pushes.map(\.changes.count) == [3])
    #expect(world.row(first)?.isChanged == false)
    try world.deliverAll()
    #expect(world.titlesThere.sorted() == ["A", "C", "D", "first"])
  }

  @Test func `a poll does not wait for a delay, unless the server has asked for it`() throws {
    var world = try World()
    for _ in 0..<9 {
      try world.send(.poll, to: 0)
      let pull = try #require(world.index { $0.isPull })
      try world.fail(pull, .unknown)
      #expect(world.messages.isEmpty)
    }
    try world.send(.poll, to: 0)
    try world.fail(try #require(world.index { $0.isPull }), .later(60_000))
    try world.send(.poll, to: 0)
    #expect(world.messages.isEmpty)
    world.now += 60_000
    try world.send(.woke, to: 0)
    #expect(world.messages.count == 1)
  }

  @Test func `who signs in is served at once`() throws {
    var world = try World()
    try world.insert("A")
    try world.fail(0, .unauthorized)
    #expect(world.messages.isEmpty)
    try world.edit(try #require(world.find("A")?.id), "B")
    #expect(world.messages.isEmpty)
    try world.poll()
    #expect(world.titlesThere == ["B"])
  }

  @Test func `a success ends no delay of another request`() throws {
    var world = try World { $0.remote.pushes = 2 }
    try world.insert("A")
    try world.insert("B")
    #expect(world.pushes.count == 2)
    try world.fail(1, .later(60_000))
    try world.deliverAll()
    #expect(world.titlesThere == ["A"])
    try world.insert("C")
    #expect(world.messages.isEmpty)
    world.now += 60_000
    try world.send(.woke, to: 0)
    try world.deliverAll()
    #expect(world.titlesThere.sorted() == ["A", "B", "C"])
  }

  @Test func `rows of which an answer says nothing are asked for later and later`() throws {
    var world = try World { ($0.remote.fetchesRows, $0.answersWithRows) = (true, false) }
    try world.insert("A")
    var times: [Int64] = []
    for _ in 0..<400 where times.count < 12 {
      guard let action = world.messages.first?.action else {
        guard try world.wake() else { break }
        continue
      }
      guard case .fetch(let request, _) = action else {
        try world.deliver(0)
        continue
      }
      times.append(world.now)
      world.messages.removeFirst()
      try world.send(.fetched(request: request, rows: [], missing: []), to: 0)
    }
    let delays = zip(times.dropFirst(), times).map(-)
    #expect(delays.count == 11)
    #expect(delays == delays.sorted())
    #expect(delays.last == 300_000)
  }

  @Test func `a row that is fetched in vain delays no other`() throws {
    var world = try World { ($0.remote.fetchesRows, $0.answersWithRows) = (true, false) }
    let stuck = try world.insert("A")
    for round in 0..<6 {
      if round > 0 { _ = try world.wake() }
      while let message = world.messages.first {
        guard case .fetch(let request, _) = message.action else {
          try world.deliver(0)
          continue
        }
        world.messages.removeFirst()
        try world.send(.fetched(request: request, rows: [], missing: []), to: 0)
      }
    }
    #expect(world.row(stuck)?.isOwed == true)
    let other = try world.insert("B")
    while let message = world.messages.first {
      if message.isRequest, case .fetch(_, let names) = message.action { #expect(names.count == 1) }
      try world.deliver(0)
    }
    #expect(world.row(other)?.isOwed == false)
    #expect(world.row(stuck)?.isOwed == true)
    try world.poll()
    #expect(world.row(stuck)?.isOwed == false)
  }

  @Test func `a fetch asks for a hundred rows at most`() throws {
    var world = try World { ($0.remote.fetchesRows, $0.answersWithRows) = (true, false) }
    try world.save { store in (0..<250).map { store.insert(World.fields("\($0)"), in: 0) } }
    var sizes: [Int] = []
    while let message = world.messages.first {
      if message.isRequest, case .fetch(_, let names) = message.action { sizes.append(names.count) }
      try world.deliver(0)
    }
    #expect(sizes.max() == 100)
    #expect(sizes.reduce(0, +) == 250)
  }

  @Test func `a push that was not begun is not unknown`() throws {
    var world = try World(.none)
    let list = try world.insert("A")
    let push = try #require(world.pushes.first)
    world.messages = []
    try world.send(.unsent(push: push.push), to: 0)
    #expect(world.row(list)?.hold == nil)
    #expect(world.pushes.first?.isRepeated == false)
    try world.deliverAll()
    #expect(world.titlesThere == ["A"])
  }

  @Test func `a new row that the server has under the key of another one is held`() throws {
    var world = try World()
    let known = world.insertThere("A")
    try world.poll()
    let second = try world.insert("A again")
    let push = try #require(world.pushes.first)
    world.messages = []
    try world.send(.recorded(push: push.push, [second: .accepted(key: known.key, version: nil, nil)]), to: 0)
    try world.send(.ended(push: push.push, nil), to: 0)
    guard case .rejected? = world.row(second)?.hold else {
      Issue.record("\(String(describing: world.row(second)))")
      return
    }
    #expect(world.pushes.isEmpty)
    try world.send(.discard(second), to: 0)
    #expect(world.row(second) == nil)
  }

  @Test(arguments: [Int64.min, -1, .max])
  func `whatever delay a server asks for, the machine waits a day at most`(delay: Int64) throws {
    var world = try World()
    world.now = 1_000_000
    let list = try world.insert("A")
    let push = try #require(world.pushes.first)
    world.messages = []
    try world.send(.recorded(push: push.push, [list: .failed(.later(delay))]), to: 0)
    try world.send(.ended(push: push.push, nil), to: 0)
    try world.send(.poll, to: 0)
    if let pull = world.index(where: { $0.isPull }) { try world.fail(pull, .later(delay)) }
    world.now += 86_400_000
    try world.send(.woke, to: 0)
    try world.deliverAll()
    #expect(world.titlesThere == ["A"])
  }
}
