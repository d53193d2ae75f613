import Foundation
import Testing

@testable import Persistence

/// Objects and relationships that were read in a transaction that was not committed.
@MainActor @Suite struct RollbackTests {
  let store: TemporaryStore

  init() throws { store = try TemporaryStore() }

  private func tickets(_ count: Int, _ view: ViewContext) throws -> [Ticket] {
    try view.persist { objects in (0..<count).map { _ in objects.insert(Ticket.self) } }
  }

  @Test func `a relationship that was read before a rollback is read again after it`() async throws {
    let container = try await store.open(Ticket.self, Board.self, Marker.self)
    let view = container.viewContext
    let pair = try tickets(2, view)
    pair[0].blockers.insert(pair[1])
    _ = try view.fetch(Ticket.self)
    #expect(Array(pair[0].blockers) == [pair[1]])
    view.rollback()
    #expect(pair[0].blockers.isEmpty && pair[1].blocked.isEmpty && !view.hasChanges)
    pair[0].blockers.insert(pair[1])
    try view.save()
    let id = pair[0].id
    #expect(try await container.newContext().perform { try $0.object(id).blockers.count } == 1)
  }

  @Test func `relationships and orders that a failed closure has read are read again after it`() async throws {
    let container = try await store.open(Ticket.self, Board.self, Marker.self)
    let view = container.viewContext
    let all = try tickets(3, view)
    let board = try view.persist { objects in
      let board = objects.insert(Board.self)
      board.tickets = RelatedObjects(all)
      return board
    }
    all[0].blockers.insert(all[1])
    #expect(throws: PersistenceError.self) {
      try view.persist { objects in
        all[0].blockers.insert(all[2])
        board.tickets.insert(all[2], at: 0)
        _ = try objects.fetch(Ticket.self)
        #expect(Array(all[0].blockers) == [all[1], all[2]] && Array(board.tickets) == [all[2], all[0], all[1]])
        throw Stop()
      }
    }
    #expect(Array(all[0].blockers) == [all[1]] && Array(board.tickets) == all && view.hasChanges)
    view.rollback()
    #expect(all[0].blockers.isEmpty && Array(board.tickets) == all)
  }

  @Test func `objects first read after bulk work in a failed closure have their stored values`() async throws {
    let container = try await store.open(Ticket.self, Board.self, Marker.self)
    try await container.newContext().persist { objects in
      for number in 0..<3 { objects.insert(Ticket.self).title = "\(number)" }
    }
    let view = container.viewContext
    var seen: [Ticket] = []
    #expect(throws: PersistenceError.self) {
      try view.persist { objects in
        try objects.update(Ticket.self, set: [.set(\.title, to: "changed")])
        try objects.import(
          [7], into: Ticket.self, matching: \.code, [.set(\.code) { Int64($0) }, .set(\.title) { _ in "imported" }])
        seen = try objects.fetch(Ticket.self)
        #expect(seen.map(\.title) == ["changed", "changed", "changed", "imported"])
        throw Stop()
      }
    }
    #expect(seen.map(\.title) == ["0", "1", "2", "imported"] && seen.map(\.isDeleted) == [false, false, false, true])
    // Their versions are the stored ones too: a change is no conflict
    seen[0].title = "mine"
    try view.save()
    #expect(try await container.newContext().perform { try $0.fetch(Ticket.self).map(\.title) } == ["mine", "1", "2"])
  }
}
