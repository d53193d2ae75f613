import Foundation
import Testing

@testable import Persistence

private final class Node: ManagedObject {
  @Attribute(.unique) var number = 0
  @Attribute var name = ""
  @ToOne var parent: Node?
  @ToMany(inverse: \Node.parent, deleteRule: .cascade, ordered: true) var children: RelatedObjects<Node>
}

/// Changes of objects and of rows without objects, in one transaction.
@Suite struct MixedChangeTests {
  private let file: TemporaryStore
  private let store: Store
  private let space: ObjectSpace
  private let commits = Lock<ChangeSet?>(nil)

  init() throws {
    file = try TemporaryStore()
    var configuration = StoreConfiguration()
    // The tests compare objects after the closures that fetched them.
    configuration.stopsOutsideContext = false
    store = try Store(.file(file.file), Schema(Node.self), configuration)
    space = try ObjectSpace(store.access)
    let commits = commits
    store.access.commits.add(CommitListener { commit in commits.withLock { $0 = commit.changes } })
    // One root, and four children in order.
    try space.persist { objects in
      let root = objects.insert(Node.self)
      for number in 1...4 {
        let child = objects.insert(Node.self)
        (child.number, child.name) = (number, "stored")
        root.children.insert(child)
      }
    }
  }

  private func node(_ number: Int) throws -> Node { try #require(space.fetch(Node.self) { $0.number == number }.first) }

  private func change(_ id: ObjectID<Node>) -> ObjectChange<Node>? { commits.withLock { $0?.change(of: id) } }

  private func arrange(_ numbers: [Int], in objects: ObjectSpace) throws {
    try objects.import(
      [numbers], into: Node.self, matching: \.number,
      [.set(\.number) { _ in 0 }, .set(\.children, matching: \.number) { $0 }])
  }

  @Test func `a deletion that overrides another context's change reports that context's values as the old ones`() throws
  {
    let other = try ObjectSpace(store.access)
    for policy in [MergePolicy.mine, .report] {
      space.mergePolicy = policy
      let held = try space.perform { _ in try node(1) }
      let id = held.id
      try other.persist { objects in
        let node = try objects.object(id)
        (node.name, node.number) = ("theirs", 11)
      }
      let deletion = {
        try space.persist { objects in
          held.name = "mine"
          objects.delete(held)
        }
      }
      if policy.prefersMine {
        _ = try space.preview { _ in
          held.name = "mine"
          space.delete(held)
        }
        #expect(held.name == "theirs" && held.number == 11, "a rollback leads to the stored row")
        try other.persist { try $0.object(id).name = "again theirs" }
        try deletion()
        #expect(change(id)?.values(of: \.name)?.old == "again theirs" && change(id)?.values(of: \.number)?.old == 11)
        let changes = try #require(commits.withLock { $0 })
        try space.persist { try $0.apply(changes.inverted) }
        try space.persist { try $0.object(id).number = 1 }
      } else {
        #expect(throws: PersistenceError.self) { try deletion() }
        // Now the change is known.
        #expect(held.name == "theirs" && held.number == 11)
        try deletion()
      }
    }
  }

  @Test func `a deletion of an object whose row is gone already is not reported`() throws {
    let held = try space.perform { _ in try node(1) }
    let id = held.id
    try ObjectSpace(store.access).persist { $0.delete(try $0.object(id)) }
    space.mergePolicy = .mine
    try space.persist { objects in
      objects.delete(held)
      try objects.update(Node.self, where: { $0.number == 2 }, set: [.set(\.name, to: "bulk")])
    }
    #expect(change(id) == nil && commits.withLock { $0?.updated(Node.self).count } == 1)
  }

  @Test(arguments: [true, false])
  func `a deletion of adjacent rows reports all but those that others had deleted`(isDeleted: Bool) throws {
    let held = try space.perform { try $0.fetch(Node.self, where: { $0.number > 0 }) }
    let ids = held.map(\.id)
    try ObjectSpace(store.access).persist { objects in
      let theirs = try objects.object(ids[1])
      if isDeleted { objects.delete(theirs) } else { theirs.name = "theirs" }
    }
    space.mergePolicy = .mine
    // A preview leaves nothing behind.
    for isPreview in [true, false] {
      let delete = { (objects: ObjectSpace) in for object in held { objects.delete(object) } }
      if isPreview { _ = try space.preview { delete($0) } } else { try space.persist { delete($0) } }
    }
    let deleted = commits.withLock { $0?.deleted(Node.self) ?? [] }
    #expect(Set(deleted) == Set(isDeleted ? ids.filter { $0 != ids[1] } : ids))
    if !isDeleted { #expect(change(ids[1])?.values(of: \.name)?.old == "theirs") }
    #expect(try space.perform { try $0.count(Node.self) } == 1)
  }

  @Test func `effects that have no opposite are reported once, however often they occur`() {
    var links = PendingLinks()
    let effects: [LinkChange] = [
      .all(join: 1), .reordered(entity: 0, relation: 0, owner: 1), .added(join: 0, first: 1, second: 2),
    ]
    for effect in effects + effects.dropLast() { links.note(effect) }
    #expect(Array(links.netEffects) == effects)
    links.note(.removed(join: 0, first: 1, second: 2))
    #expect(Array(links.netEffects) == Array(effects.dropLast()))
  }

  @Test(arguments: [[], [0], [0, 1], [1, 2, 3, 4]])
  func `a bulk update selects its rows before any object changes`(inMemory: [Int]) throws {
    try space.persist { objects in
      let held = try objects.fetch(Node.self) { $0.number.isIn(inMemory) }
      try objects.update(
        Node.self, where: { $0.name == "stored" || $0.parent.name == "changed" || $0.number == 0 },
        set: [.set(\.name, to: "changed")])
      let all = try objects.fetch(Node.self).map(\.name)
      withExtendedLifetime(held) { #expect(all == Array(repeating: "changed", count: 5)) }
      let count = try objects.update(
        Node.self, where: { $0.number == 0 || $0.parent.name == "again" }, set: [.set(\.name, to: "again")])
      #expect(count == 1)
    }
    #expect(try space.perform { try $0.count(Node.self) { $0.name == "again" } } == 1)
  }

  @Test func `objects in memory report that a bulk deletion cascaded to them, with their stored values`() throws {
    let held = try space.perform { try $0.fetch(Node.self) { $0.number > 2 } }
    let ids = held.map(\.id)
    try space.persist { objects in
      held[0].name = "edited"
      objects.insert(Node.self).number = 5
      _ = try objects.delete(Node.self, where: { $0.number == 0 || $0.number == 5 })
    }
    #expect(held.allSatisfy { $0.isDeleted })
    for id in ids { #expect(change(id)?.values(of: \.name)?.old == "stored") }
    #expect(
      commits.withLock { $0?.deleted(Node.self).count } == 5 && commits.withLock { $0?.inserted(Node.self) } == [])
  }

  @Test(arguments: [true, false], [true, false])
  func `an import that only reorders is reported, and undone if its rows are in memory`(
    isInMemory: Bool, canUndo: Bool
  ) throws {
    space.setUndoLimit(canUndo ? 1 : 0)
    let held = try space.perform { isInMemory ? try $0.fetch(Node.self) : [] }
    try space.persist { try arrange([3, 1, 4, 2], in: $0) }
    let changes = try #require(commits.withLock { $0 })
    #expect(changes.links.contains { if case .reordered = $0 { true } else { false } })
    // The root, and the members whose positions differ.
    #expect(changes.updated(Node.self).count == 4)
    #expect(try space.perform { _ in try node(0).children.map(\.number) } == [3, 1, 4, 2])
    guard canUndo else { return }
    #expect(try space.undo() == isInMemory)
    let order = try space.perform { _ in try node(0).children.map(\.number) }
    withExtendedLifetime(held) { #expect(order == (isInMemory ? [1, 2, 3, 4] : [3, 1, 4, 2])) }
  }

  @Test func `observers of the orders receive the old order of what is only rearranged`() throws {
    let follower = SaveFollower()
    follower.interest = [.rows, .orders]
    space.saveObservers.append(follower)
    let ids = try space.perform { _ in try (1...4).map { try node($0).id.rawValue } }
    for (order, isImported) in [([3, 1, 4, 2], true), ([1, 4, 2, 3], false)] {
      let old = try space.perform { _ in try node(0).children.map { ids[$0.number - 1] } }
      try space.persist { objects in
        if isImported { return try arrange(order, in: objects) }
        try node(0).children.move(fromOffsets: [0], toOffset: 4)
      }
      let orders = follower.changes?.links.compactMap {
        if case .reordered(_, _, _, let orders) = $0 { orders } else { nil }
      }
      #expect(orders == [MemberOrders(old: old, new: order.map { ids[$0 - 1] })])
    }
  }

  @Test(arguments: [false, true], [false, true])
  func `members that an import moves or a bulk deletion deletes return to their positions by undo`(
    deletes: Bool, isInMemory: Bool
  ) throws {
    let follower = SaveFollower()
    follower.interest = [.rows, .orders]
    space.saveObservers.append(follower)
    space.setUndoLimit(1)
    // More than two batches, every second of which moves.
    let moving = stride(from: 100, to: 100 + 5 * RowImporter.batch, by: 2)
    try space.persist { objects in
      objects.insert(Node.self).number = 9
      let root = try node(0)
      for number in 100..<(100 + 5 * RowImporter.batch) {
        let child = objects.insert(Node.self)
        child.number = number
        root.children.insert(child)
      }
    }
    let held = try space.perform { isInMemory ? try $0.fetch(Node.self) : [] }
    let order = try space.perform { _ in try node(0).children.map(\.id.rawValue) }
    let root = try space.perform { _ in try node(0).id.rawValue }
    try space.persist { objects in
      if deletes {
        _ = try objects.delete(Node.self, where: { $0.number >= 100 && $0.number < 110 })
      } else {
        try objects.import(
          Array(moving), into: Node.self, matching: \.number,
          [.set(\.number) { $0 }, .set(\.parent, matching: \.number) { _ in 9 }])
      }
    }
    let orders = follower.changes?.links.compactMap {
      if case .reordered(_, _, root, let orders) = $0 { orders } else { nil }
    }
    #expect(orders?.map(\.old) == [order])
    #expect(try space.undo() == isInMemory)
    let restored = try space.perform { _ in try node(0).children.map(\.id.rawValue) }
    withExtendedLifetime(held) { #expect((restored == order) == isInMemory) }
  }

  @Test func `an import whose closure rolls back fails, and writes nothing`() throws {
    #expect(throws: PersistenceError.self) {
      try space.persist { objects in
        _ = try objects.import(
          Array(10..<60), into: Node.self, matching: \.number,
          [
            .set(\.number) { number in
              if number == 40 { objects.rollback() }
              return number
            }
          ])
      }
    }
    #expect(try space.perform { try $0.count(Node.self) } == 5)
    try space.persist { _ in try node(1).name = "later" }
    #expect(try space.perform { try $0.count(Node.self) { $0.name == "later" } } == 1)
  }

  @Test func `a row that one batch of an import writes twice is rolled back with its version`() throws {
    let held = try space.perform { _ in try node(1) }
    let version = held._version
    let rows = Array(repeating: 1, count: RowImporter.batch)
    let fields: [ImportField<Node, Int>] = [.set(\.number) { $0 }, .set(\.name) { _ in "imported" }]
    #expect(throws: PersistenceError.self) {
      try space.persist { objects in
        held.name = "edited"
        try objects.import(rows, into: Node.self, matching: \.number, fields)
        throw Stop()
      }
    }
    #expect(held._version == version && held.name == "stored")
    try space.persist { _ = try $0.import(rows, into: Node.self, matching: \.number, fields) }
    #expect(held._version == version + UInt32(rows.count) && change(held.id)?.values(of: \.name)?.old == "stored")
  }
}
