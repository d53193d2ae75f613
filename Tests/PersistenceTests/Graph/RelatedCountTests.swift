import PersistenceTesting
import Testing

@testable import Persistence

/// Properties with the names that the SQL for counts could mistake for its own.
private final class Crew: ManagedObject {
  @Attribute var value = 0
  @ToMany(inverse: \Matelot.crew) var mates: RelatedObjects<Matelot>
  @ToMany(inverse: \Boat.crew, deleteRule: .cascade, ordered: true) var boats: RelatedObjects<Boat>
  @ToMany(inverse: \Port.crews) var ports: RelatedObjects<Port>
  @ToMany(inverse: \Port.visits, ordered: true) var route: RelatedObjects<Port>
}

private final class Matelot: ManagedObject {
  @Attribute var value = 0
  @ToOne var crew: Crew?
}

private final class Boat: ManagedObject {
  @Attribute var value = 0
  @ToOne var crew: Crew?
}

private final class Port: ManagedObject {
  @Attribute var value = 0
  @ToMany var crews: RelatedObjects<Crew>
  @ToMany(ordered: true) var visits: RelatedObjects<Crew>
}

/// Counting, testing and picking members without loading them takes one query for the owners of a batch.
@Suite struct RelatedCountTests {
  let store: TemporaryStore

  init() throws { store = try TemporaryStore() }

  /// The crew with number n has n % 4 members in each relationship. The last port of its route is its first one.
  private func filled(_ crews: Int, inMemory: Bool = true) async throws -> PersistentContainer {
    let schema = Schema(Crew.self, Matelot.self, Boat.self, Port.self)
    let container = try await PersistentContainer(at: inMemory ? .inMemory : .file(store.file), schema: schema)
    try await container.newContext().persist { objects in
      let ports = (0..<4).map { number in
        let port = objects.insert(Port.self)
        port.value = number
        return port
      }
      for number in 0..<crews {
        let crew = objects.insert(Crew.self)
        crew.value = number
        for member in 0..<number % 4 {
          let (mate, boat) = (objects.insert(Matelot.self), objects.insert(Boat.self))
          (mate.value, mate.crew) = (member, crew)
          boat.value = member
          crew.boats.insert(boat, at: 0)
          crew.ports.insert(ports[member])
        }
        crew.route = RelatedObjects(ports[..<(number % 4)].reversed())
      }
    }
    return container
  }

  /// What is asked of each crew, in order: all counts, whether there are none, the first ones, and one membership.
  private func answers(_ crew: Crew, _ port: Port? = nil) -> [Int] {
    let counts = [crew.mates.count, crew.boats.count, crew.ports.count, crew.route.count]
    let tests = [
      crew.mates.isEmpty, crew.boats.isEmpty, crew.ports.isEmpty, crew.route.isEmpty,
    ]
    let firsts: [Int?] = [
      crew.mates.first?.value, crew.boats.first?.value, crew.ports.first?.value, crew.route.first?.value,
    ]
    let contained = port.map { [crew.ports.contains($0), crew.route.contains($0)] } ?? []
    return counts + tests.map { $0 ? 1 : 0 } + firsts.map { $0 ?? -1 } + contained.map { $0 ? 1 : 0 }
  }

  private func expected(_ number: Int) -> [Int] {
    let count = number % 4
    let (isEmpty, least, contained) = (count == 0 ? 1 : 0, count > 0 ? 0 : -1, count > 1 ? 1 : 0)
    return [
      count, count, count, count, isEmpty, isEmpty, isEmpty, isEmpty, least, count - 1, least, count - 1, contained,
      contained,
    ]
  }

  @Test func `each question about the members of 300 objects takes a query for every batch`() async throws {
    try await filled(300).newContext().perform { objects in
      let crews = try objects.fetch(Crew.self)
      // For each question 256 crews and the rest. The first members are fetched: those of the second batch are new,
      // except for the ports, of which the first batch fetches all.
      try objects.expectQueries(atMost: 12 * 2 + 4 + 2) {
        for (number, crew) in crews.enumerated() { #expect(answers(crew) == expected(number).dropLast(2)) }
      }
      try objects.expectQueries(atMost: 0) {
        for (number, crew) in crews.enumerated() { #expect(answers(crew) == expected(number).dropLast(2)) }
      }
      #expect(objects.relationshipFetches.isEmpty && objects.loaded.entries.isEmpty)
    }
  }

  @Test func `an object that was fetched alone asks alone`() async throws {
    try await filled(9).newContext().perform { objects in
      let others = try objects.fetch(Crew.self, where: { $0.value != 7 })
      let alone = try #require(try objects.first(Crew.self, where: { $0.value == 7 }))
      try objects.expectQueries(atMost: 1) { #expect(alone.mates.count == 3) }
      try objects.expectQueries(atMost: 1) { #expect(others.map(\.mates.count) == [0, 1, 2, 3, 0, 1, 2, 0]) }
    }
  }

  @Test(arguments: [false, true]) @MainActor
  func `answers include pending changes, made before and after the question`(_ isFile: Bool) async throws {
    let container = try await filled(12, inMemory: !isFile)
    let view = container.viewContext
    let crews = try view.fetch(Crew.self)
    let port = try #require(try view.first(Port.self, where: { $0.value == 1 }))
    let other = try #require(try view.first(Port.self, where: { $0.value == 3 }))
    func check(_ changed: [Int: [Int]]) {
      for (number, crew) in crews.enumerated() where !crew.isDeleted {
        #expect(answers(crew, port) == changed[number] ?? expected(number), "crew \(number)")
      }
    }
    check([:])
    // One-to-many: a member moves, another is inserted, one is deleted.
    let moving = try #require(crews[3].mates.first)
    moving.crew = crews[0]
    let mate = view.insert(Matelot.self)
    (mate.value, mate.crew) = (9, crews[4])
    try view.delete(#require(crews[5].mates.first))
    let boat = view.insert(Boat.self)
    boat.value = 8
    crews[6].boats.insert(boat, at: 0)
    // Many-to-many, from both sides.
    crews[8].ports.insert(other)
    other.crews.insert(crews[9])
    crews[10].ports.remove(port)
    crews[7].route.removeAll()
    crews[8].route.insert(port)
    let changed = [
      0: [1, 0, 0, 0, 0, 1, 1, 1, 0, -1, -1, -1, 0, 0], 3: [2, 3, 3, 3, 0, 0, 0, 0, 1, 2, 0, 2, 1, 1],
      4: [1, 0, 0, 0, 0, 1, 1, 1, 9, -1, -1, -1, 0, 0], 5: [0, 1, 1, 1, 1, 0, 0, 0, -1, 0, 0, 0, 0, 0],
      6: [2, 3, 2, 2, 0, 0, 0, 0, 0, 8, 0, 1, 1, 1], 7: [3, 3, 3, 0, 0, 0, 0, 1, 0, 2, 0, -1, 1, 0],
      8: [0, 0, 1, 1, 1, 1, 0, 0, -1, -1, 3, 1, 0, 1], 9: [1, 1, 2, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
      10: [2, 2, 1, 2, 0, 0, 0, 0, 0, 1, 0, 1, 0, 1],
    ]
    check(changed)
    check(changed)
    // A deleted port leaves all crews, without being asked which ones it has.
    try view.persist { objects in
      check(changed)
      objects.delete(other)
      #expect(crews[8].ports.count == 0 && crews[8].ports.first == nil && crews[9].ports.count == 1)
    }
    #expect(crews[8].ports.isEmpty && crews[9].ports.count == 1 && crews[3].ports.count == 3)
    crews[3].ports = []
    #expect(crews[3].ports.isEmpty && crews[3].ports.count == 0)
    moving.crew = nil
    #expect(crews[0].mates.isEmpty)
    view.rollback()
    #expect(crews[3].ports.count == 3 && !crews[3].ports.isEmpty && crews[0].mates.count == 1)
    view.delete(crews[3])
    #expect(crews[3].mates.count == 0 && port.crews.count == 4)
    view.rollback()
    #expect(crews[3].mates.count == 2 && port.crews.count == 5)
  }

  @Test @MainActor func `a closure that fails takes back what it has counted`() async throws {
    let view = try await filled(8).viewContext
    let crews = try view.fetch(Crew.self)
    #expect(throws: PersistenceError.self) {
      try view.persist { objects in
        crews[1].mates.insert(objects.insert(Matelot.self))
        #expect(crews[1].mates.count == 2 && crews[2].mates.count == 2)
        throw Stop()
      }
    }
    #expect(crews[1].mates.count == 1 && crews[2].mates.count == 2)
    #expect(throws: PersistenceError.self) {
      try view.persist { objects in
        #expect(try objects.delete(Matelot.self, matching: .all) == 12)
        #expect(crews.map(\.mates.count) == Array(repeating: 0, count: 8))
        throw Stop()
      }
    }
    #expect(crews.map(\.mates.count) == [0, 1, 2, 3, 0, 1, 2, 3])
  }

  @Test @MainActor func `an answer is not used after the commit of another context or container`() async throws {
    let container = try await filled(8, inMemory: false)
    let view = container.viewContext
    let crews = try view.fetch(Crew.self)
    #expect(crews.map(\.mates.count) == [0, 1, 2, 3, 0, 1, 2, 3])
    let ids = crews.map(\.id)
    try await container.newContext().persist { $0.insert(Matelot.self).crew = try $0.object(ids[0]) }
    // Before the main actor has heard of the commit.
    let queries = try view.objects.queryCount
    #expect(crews.map(\.mates.count) == [1, 1, 2, 3, 0, 1, 2, 3])
    #expect(try view.objects.queryCount == queries + 1)
    let other = try await store.open(Crew.self, Matelot.self, Boat.self, Port.self)
    try await other.newContext().persist { $0.insert(Matelot.self).crew = try $0.object(ids[0]) }
    // As loaded members: with the next read.
    _ = try view.count(Port.self)
    #expect(crews[0].mates.count == 2)
  }

  @Test func `the answers that are kept are bounded and end with the closure`() async throws {
    let container = try await filled(400)
    let context = container.newContext()
    try await context.perform { objects in
      let crews = try objects.fetch(Crew.self)
      #expect(crews.map(\.mates.count).count == 400)
      #expect(objects.answers.count == 400)
      for owner in 0..<Int64(MemberAnswers.limit) * 2 {
        objects.answers[.count, objects, owner] = 1
        #expect(objects.answers.count <= MemberAnswers.limit)
      }
    }
    try await context.perform { objects in #expect(objects.answers.count == 0) }
  }

  @Test func `testing and inserting many members keeps no answers and asks for one owner at a time`() async throws {
    let container = try await filled(400)
    try await container.newContext().persist { objects in
      let crews = try objects.fetch(Crew.self)
      let ports = (0..<2000).map { _ in objects.insert(Port.self) }
      for port in ports where !crews[0].ports.contains(port) { crews[0].ports.insert(port) }
      #expect(objects.answers.count == 0)
      #expect(crews[0].ports.contains(ports[0]) && !crews[399].ports.contains(ports[0]))
      #expect(crews[0].ports.count == 2000)
    }
  }
}
