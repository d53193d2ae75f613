import Foundation
import Testing

@testable import Persistence

/// Properties with the names that the SQL for orders and descents uses for its own columns.
private final class Place: ManagedObject {
  @Attribute var place = 0
  @Attribute var key = ""
  @Attribute var value = ""
  @Attribute var down = 0
  @ToOne var member: Member?
  @ToMany(inverse: \Member.visits, ordered: true) var visitors: RelatedObjects<Member>
}

private final class Member: ManagedObject {
  @Attribute var members = ""
  @ToMany(inverse: \Place.member, deleteRule: .cascade, ordered: true) var places: RelatedObjects<Place>
  @ToMany(ordered: true) var visits: RelatedObjects<Place>
  @ToOne(inverse: \Member.next) var previous: Member?
  @ToOne(deleteRule: .cascade) var next: Member?
}

/// Members of an ordered relationship have the order of their assignment, whatever is in memory.
@Suite struct OrderedRelationshipTests {
  let store: TemporaryStore

  init() throws { store = try TemporaryStore() }

  @Test func `ordered relationships work with properties named like columns of their SQL`() async throws {
    let container = try await store.open(Place.self, Member.self)
    let id = try await container.newContext().persist { objects in
      let member = objects.insert(Member.self)
      for number in [2, 1, 3] {
        let place = objects.insert(Place.self)
        (place.place, place.member) = (number, member)
        member.visits.insert(place)
      }
      return member.id
    }
    try await container.newContext().persist { objects in
      let member = try objects.object(id)
      #expect(member.places.map(\.place) == [2, 1, 3] && member.visits.map(\.place) == [2, 1, 3])
      member.places.insert(try #require(member.places.map { $0 }.last), at: 0)
      member.visits = RelatedObjects(member.visits.reversed())
    }
    try await container.newContext().persist { objects in
      let member = try objects.object(id)
      #expect(member.places.map(\.place) == [3, 2, 1] && member.visits.map(\.place) == [3, 1, 2])
      #expect(try objects.delete(Member.self, where: { $0.id == id }) == 1)
      #expect(try objects.count(Place.self) == 0)
    }
  }

  private func order(_ container: PersistentContainer, _ id: ObjectID<Board>) async throws -> [Int64] {
    try await container.newContext().perform { try $0.object(id).tickets.map(\.id.rawValue) }
  }

  @Test(arguments: [false, true], [false, true])
  func `a member that is removed and added again is the last one, whatever is in memory`(
    isLoaded: Bool, isManyToMany: Bool
  ) async throws {
    let container = try await store.open(Place.self, Member.self)
    let id = try await container.newContext().persist { $0.insert(Member.self).id }
    try await container.newContext().persist { objects in
      let member = try objects.object(id)
      let (first, second) = (objects.insert(Place.self), objects.insert(Place.self))
      (first.place, second.place) = (1, 2)
      if isLoaded { #expect(Array(member.places).isEmpty && Array(member.visits).isEmpty) }
      func come(_ place: Place) { if isManyToMany { place.visitors.insert(member) } else { place.member = member } }
      func leave(_ place: Place) { if isManyToMany { place.visitors.remove(member) } else { place.member = nil } }
      come(first)
      come(second)
      leave(first)
      come(first)
    }
    try await container.newContext().perform { objects in
      let member = try objects.object(id)
      #expect((isManyToMany ? member.visits : member.places).map(\.place) == [2, 1])
    }
  }

  @Test(arguments: [false, true], [false, true])
  func `members assigned from their own side come last, in the order of assignment`(
    isLoaded: Bool, isSavedBetween: Bool
  ) async throws {
    let container = try await store.open(Ticket.self, Board.self, Marker.self)
    let context = container.newContext()
    let (board, ids) = try await context.persist { objects in
      (objects.insert(Board.self).id, (0..<6).map { _ in objects.insert(Ticket.self).id })
    }
    let first = [ids[4], ids[1]]
    let second = [ids[3], ids[0], ids[5]]
    let assign: @Sendable (ObjectSpace, [ObjectID<Ticket>]) throws -> Void = { objects, ids in
      let board = try objects.object(board)
      if isLoaded { _ = Array(board.tickets) }
      for id in ids { try objects.object(id).board = board }
      #expect(board.tickets.map(\.id).suffix(ids.count) == ids[...])
    }
    try await context.persist { objects in
      try assign(objects, first)
      if !isSavedBetween { try assign(objects, second) }
    }
    if isSavedBetween { try await context.persist { try assign($0, second) } }
    #expect(try await order(container, board) == (first + second).map(\.rawValue))
    // A member that is removed and added again is the last
    try await context.persist { objects in
      let (moved, home) = (try objects.object(ids[1]), try objects.object(board))
      if isLoaded { _ = Array(home.tickets) }
      moved.board = nil
      moved.board = home
    }
    #expect(try await order(container, board) == [ids[4], ids[3], ids[0], ids[5], ids[1]].map(\.rawValue))
    #expect(try await container.integrityCheck().isIntact)
  }

  @Test(arguments: [false, true])
  func `inserting an existing member keeps its position in a many-to-many order`(isLoaded: Bool) async throws {
    let container = try await store.open(Ticket.self, Board.self, Marker.self)
    let (board, markers) = try await container.newContext().persist { objects in
      let board = objects.insert(Board.self)
      let markers = (0..<3).map { _ in objects.insert(Marker.self) }
      board.markers = [markers[2], markers[0]]
      return (board.id, markers.map(\.id))
    }
    try await container.newContext().persist { objects in
      let board = try objects.object(board)
      if isLoaded { _ = Array(board.markers) }
      board.markers.insert(try objects.object(markers[2]))
      try objects.object(markers[1]).boards.insert(board)
      try objects.object(markers[0]).boards.insert(board)
    }
    let found = try await container.newContext().perform { try $0.object(board).markers.map(\.id) }
    #expect(found == [markers[2], markers[0], markers[1]])
  }

  @Test func `members that SQL has assigned precede members that are assigned later`() async throws {
    let container = try await store.open(Ticket.self, Board.self, Marker.self)
    let board = try await container.newContext().persist { objects in
      let board = objects.insert(Board.self)
      for code in 0..<3 { objects.insert(Ticket.self).code = Int64(code) }
      return board.id
    }
    let connection = try Connection(StorePlace(.file(store.file)), StoreConfiguration())
    try connection.execute("UPDATE Ticket SET board=1 WHERE code<2")
    connection.close()
    try await container.newContext().persist { objects in
      try objects.fetch(Ticket.self, where: { $0.code == 2 })[0].board = try objects.object(board)
    }
    #expect(try await order(container, board) == [1, 2, 3])
  }

  @Test func `assigning the existing members in their order is not a change`() async throws {
    let container = try await store.open(Ticket.self, Board.self, Marker.self)
    let context = container.newContext()
    try await context.persist { objects in
      objects.insert(Board.self).tickets = [objects.insert(Ticket.self), objects.insert(Ticket.self)]
    }
    try await context.perform { objects in
      let board = try objects.fetch(Board.self)[0]
      board.tickets = RelatedObjects(board.tickets)
      board.tickets.insert(try #require(board.tickets.first), at: 0)
    }
    #expect(await !context.hasChanges)
  }

  @Test func `a failing closure restores the order that was pending before it`() async throws {
    let container = try await store.open(Ticket.self, Board.self, Marker.self)
    let context = container.newContext()
    let (board, ids) = try await context.persist { objects in
      let board = objects.insert(Board.self)
      let tickets = (0..<3).map { _ in objects.insert(Ticket.self) }
      board.tickets = RelatedObjects(tickets)
      return (board.id, tickets.map(\.id))
    }
    try await context.perform { objects in
      try objects.object(board).tickets.insert(try objects.object(ids[2]), at: 0)
    }
    await #expect(throws: PersistenceError.self) {
      try await context.persist { objects in
        try objects.object(board).tickets.insert(try objects.object(ids[1]), at: 0)
        throw Stop()
      }
    }
    try await context.persist { _ in }
    #expect(try await order(container, board) == [ids[2], ids[0], ids[1]].map(\.rawValue))
  }
}
