import Foundation
import LarderTestSupport
import Testing

@testable import Persistence

private final class Page: ManagedObject {
  @Attribute(.unique) var slug = ""
  @Attribute(.unique) var remoteID: Int64?
  @Attribute var number = 0
  @ToOne var binder: Binder?

  override class var indexes: [AttributeIndex] { [.unique(\Page.binder, \Page.number)] }
}

private final class Binder: ManagedObject {
  @ToMany(inverse: \Page.binder, ordered: true) var pages: RelatedObjects<Page>
}

private final class Sealed: ManagedObject {
  @Attribute(.unique) var key = Data()
}

/// Values that must be unique but temporarily are not.
@Suite struct UniqueValueTests {
  let store: TemporaryStore

  init() throws { store = try TemporaryStore() }

  private func container() async throws -> (PersistentContainer, [ObjectID<Ticket>]) {
    let container = try await store.open(Ticket.self, Board.self, Marker.self)
    let ids = try await container.newContext().persist { objects in
      (0..<3 as Range<Int64>).map { code in
        let ticket = objects.insert(Ticket.self)
        ticket.code = code
        return ticket.id
      }
    }
    return (container, ids)
  }

  private func codes(_ container: PersistentContainer) async throws -> [Int64?] {
    try await container.newContext().perform { try $0.fetch(Ticket.self).map(\.code) }
  }

  @Test func `a fetch does not fail while two objects temporarily share a unique value`() async throws {
    let (container, ids) = try await container()
    try await container.newContext().persist { objects in
      let tickets = try ids.map { try objects.object($0) }
      tickets[1].code = 0
      // The object that took the value second is found, but not by the value.
      #expect(try objects.fetch(Ticket.self, where: { $0.code == 0 }) == [tickets[0]])
      #expect(try objects.fetch(Ticket.self) == tickets && tickets.map(\.code) == [0, 0, 2])
      tickets[0].code = 1
      #expect(try objects.fetch(Ticket.self, where: { $0.code == 0 }) == [tickets[1]])
    }
    #expect(try await codes(container) == [1, 0, 2])
  }

  @Test func `while a unique value is shared, values are as assigned and aggregates throw an error`() async throws {
    let (container, ids) = try await container()
    try await container.newContext().persist { objects in
      let tickets = try ids.map { try objects.object($0) }
      tickets[1].code = 0
      #expect(try objects.values(of: \Ticket.code, in: FetchDescriptor(Ticket.self)) == [0, 0, 2])
      #expect(try objects.values(of: \Ticket.title, in: FetchDescriptor(Ticket.self)) == ["", "", ""])
      #expect(try objects.aggregate(over: FetchDescriptor(Ticket.self)) { $0.count } == 3)
      let asked: [() throws -> Void] = [
        { _ = try objects.distinctValues(of: \Ticket.code) },
        { _ = try objects.aggregate(over: FetchDescriptor(Ticket.self)) { $0.sum { $0.code } } },
        { _ = try objects.groups(in: FetchDescriptor(Ticket.self), by: { $0.code }, of: { $0.count }) },
        { _ = try objects.groups(in: FetchDescriptor(Ticket.self), by: { $0.title }, of: { $0.maximum { $0.code } }) },
      ]
      for ask in asked {
        #expect {
          try ask()
        } throws: { error in
          guard case .notUnique(let violation) = error as? PersistenceError else { return false }
          return violation == UniquenessViolation(type: "Ticket", attributes: ["code"], id: ids[1].rawValue)
        }
      }
      tickets[0].code = 1
      for ask in asked { try ask() }
      #expect(try objects.values(of: \Ticket.code, in: FetchDescriptor(Ticket.self)) == [1, 0, 2])
    }
    #expect(try await codes(container) == [1, 0, 2])
  }

  @Test func `bytes that two objects temporarily share are read as they were assigned`() async throws {
    let container = try await store.open(Sealed.self)
    try await container.newContext().persist { (objects) throws in
      let (first, second) = (objects.insert(Sealed.self), objects.insert(Sealed.self))
      (first.key, second.key) = (Data([1]), Data([1]))
      #expect(try objects.values(of: \Sealed.key, in: FetchDescriptor(Sealed.self)) == [Data([1]), Data([1])])
      first.key = Data([2])
    }
    let keys = try await container.newContext().perform {
      try $0.values(of: \Sealed.key, in: FetchDescriptor(Sealed.self))
    }
    #expect(keys == [Data([2]), Data([1])])
  }

  @Test func `fetches retry writing shared unique values only if one may have become free`() async throws {
    let container = try await store.open(Ticket.self, Board.self, Marker.self)
    let count = 100
    let ids = try await container.newContext().persist { objects in
      (0..<2 * count).map { code in
        let ticket = objects.insert(Ticket.self)
        ticket.code = Int64(code)
        return ticket.id
      }
    }
    try await container.newContext().persist { objects in
      let tickets = try ids.map { try objects.object($0) }
      let registry = try objects.registry(of: Ticket.self)
      for index in 0..<count { tickets[index].code = Int64(count + index) }
      for _ in 0..<50 {
        tickets[0].title += "."
        #expect(try objects.count(Ticket.self) == 2 * count)
      }
      #expect(registry.changes.unsettled.count == count)
      #expect(registry.changes.updates.count == count + 49)
      objects.delete(tickets[count])
      #expect(try objects.fetch(Ticket.self, where: { $0.code == Int64(count) }) == [tickets[0]])
      #expect(registry.changes.unsettled.count == count - 1)
      for index in count + 1..<2 * count { tickets[index].code = Int64(index - count) }
    }
    let expected = (0..<count).map { Int64(count + $0) } + (1..<count).map(Int64.init)
    #expect(try await codes(container) == expected)
  }

  @Test func `a new object may take a unique value that its owner changes later`() async throws {
    let (container, ids) = try await container()
    try await container.newContext().persist { objects in
      let new = objects.insert(Ticket.self)
      (new.code, new.title) = (2, "new")
      #expect(try objects.fetch(Ticket.self, where: { $0.title == "new" }) == [new])
      #expect(try objects.count(Ticket.self, where: { $0.code == 2 }) == 1)
      try objects.object(ids[2]).code = 7
    }
    #expect(try await codes(container) == [0, 1, 7, 2])
  }

  @MainActor @Test func `a unique value that stays taken fails every attempt to save`() async throws {
    let (container, ids) = try await container()
    let view = container.viewContext
    let ticket = try view.object(ids[1])
    ticket.code = 0
    _ = try view.fetch(Ticket.self)
    for _ in 0..<2 {
      #expect {
        try view.save()
      } throws: { error in
        guard case .notUnique(let violation) = error as? PersistenceError else { return false }
        return violation.attributes == ["code"] && violation.id == ids[1].rawValue
      }
    }
    #expect(ticket.code == 0 && view.hasChanges)
    ticket.code = 9
    try view.save()
    #expect(try await codes(container) == [0, 9, 2])
  }

  @Test func `a unique value still taken at the end of a closure fails it, even after fetches`() async throws {
    let (container, ids) = try await container()
    for count in 1...3 {
      await #expect {
        try await container.newContext().persist { objects in
          try objects.object(ids[1]).code = 0
          for _ in 0..<count { #expect(try objects.fetch(Ticket.self).count == 3) }
        }
      } throws: { error in
        guard case .notUnique(let violation) = error as? PersistenceError else { return false }
        return violation.attributes == ["code"] && violation.id == ids[1].rawValue
      }
    }
    #expect(try await codes(container) == [0, 1, 2])
  }

  @Test func `an object whose unique value is taken is found by all of its other values`() async throws {
    let container = try await store.open(Page.self, Binder.self)
    try await container.newContext().persist { objects in
      let (binder, first) = (objects.insert(Binder.self), objects.insert(Page.self))
      (first.slug, first.binder) = ("a", binder)
    }
    try await container.newContext().persist { objects in
      let first = try objects.fetch(Page.self)[0]
      let second = objects.insert(Page.self)
      (second.slug, second.remoteID, second.binder) = ("a", 5, first.binder)
      #expect(try objects.fetch(Page.self, where: { $0.remoteID == 5 }) == [second])
      #expect(try objects.fetch(Page.self, where: { $0.slug == "a" }) == [first])
      let binder = try objects.fetch(Binder.self)[0]
      #expect(Array(binder.pages) == [first, second])
      (first.slug, first.number) = ("b", 1)
    }
    try await container.newContext().perform { objects in
      let binder = try objects.fetch(Binder.self)[0]
      #expect(binder.pages.map(\.slug) == ["b", "a"])
    }
    #expect(try await container.integrityCheck().isIntact)
  }

  @Test func `bulk work fails while two objects share a unique value`() async throws {
    let (container, ids) = try await container()
    await #expect(throws: PersistenceError.self) {
      try await container.newContext().persist { objects in
        try objects.object(ids[1]).code = 0
        _ = try objects.fetch(Ticket.self)
        _ = try objects.update(Ticket.self, set: [.set(\.title, to: "bulk")])
      }
    }
    #expect(try await codes(container) == [0, 1, 2])
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func `unique values that move between objects with fetches in between end as assigned`(
    _ seed: UInt64
  ) async throws {
    let (container, _) = try await container()
    let expected = try await container.newContext().persist { objects in
      var random = SplitMix(seed: seed)
      var tickets = try objects.fetch(Ticket.self)
      for _ in 0..<40 {
        switch Int.random(in: 0..<5, using: &random) {
        case 0: tickets.append(objects.insert(Ticket.self))
        case 1 where tickets.count > 2:
          objects.delete(tickets.remove(at: Int.random(in: 0..<tickets.count, using: &random)))
        case 2: #expect(try objects.fetch(Ticket.self).count == tickets.count, "seed \(seed)")
        default: tickets.randomElement(using: &random)?.code = .random(in: 0..<4, using: &random)
        }
      }
      for (number, ticket) in tickets.shuffled(using: &random).enumerated() { ticket.code = Int64(number) }
      return tickets.map(\.code)
    }
    #expect(try await codes(container) == expected, "seed \(seed)")
    #expect(try await container.integrityCheck().isIntact)
  }
}
