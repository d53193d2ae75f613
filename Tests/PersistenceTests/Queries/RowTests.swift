import Foundation
import Testing

@testable import Persistence

/// Rows of nested closures, and rows that leave their closure.
@Suite struct RowTests {
  /// Tickets 1 to 6. Ticket 1 has the children 2 and 3, ticket 2 the children 4 and 5, and ticket 4 the child 6. Every
  /// ticket blocks itself and the next one.
  private func family() async throws -> PersistentContainer {
    let container = try await PersistentContainer(at: .inMemory, schema: Schema(Ticket.self, Board.self, Marker.self))
    try await container.newContext().persist { objects in
      let tickets = (1...6).map { code in
        let ticket = objects.insert(Ticket.self)
        (ticket.code, ticket.title) = (Int64(code), code.isMultiple(of: 2) ? "even" : "odd")
        return ticket
      }
      for (child, parent) in [(2, 1), (3, 1), (4, 2), (5, 2), (6, 4)] {
        tickets[child - 1].parent = tickets[parent - 1]
      }
      for (number, ticket) in tickets.enumerated() {
        ticket.blocked.insert(ticket)
        if number < 5 { ticket.blocked.insert(tickets[number + 1]) }
      }
    }
    return container
  }

  /// The codes of the tickets that the store finds, after a check that evaluation in memory finds the same.
  private func codes(
    _ condition: (Row<Ticket>) -> Query<Ticket>, in container: PersistentContainer
  ) async throws -> [Int64] {
    let query = Query(condition)
    return try await container.newContext().perform { objects in
      let found = try objects.fetch(Ticket.self, matching: query)
      let matching = try objects.fetch(Ticket.self).filter { try query.matches($0) }
      #expect(matching == found)
      return found.compactMap(\.code)
    }
  }

  private func refusal(_ query: Query<Ticket>) async throws -> String? {
    let container = try await family()
    do {
      _ = try await container.newContext().perform { try $0.count(Ticket.self, matching: query) }
    } catch PersistenceError.unsupportedQuery(let refusal) {
      return refusal.description
    }
    return nil
  }

  @Test func `a nested closure can compare its row with an outer row of the same class`() async throws {
    let container = try await family()
    #expect(
      try await codes({ outer in outer.children.contains { $0.title == outer.title } }, in: container) == [1, 2, 4])
    #expect(try await codes({ outer in outer.children.contains { $0.title != outer.title } }, in: container) == [1, 2])
    #expect(
      try await codes({ outer in outer.children.contains { outer.title == $0.title } }, in: container) == [1, 2, 4])
    #expect(try await codes({ outer in outer.children.allSatisfy { $0.code > outer.code } }, in: container).count == 6)
    #expect(try await codes({ outer in outer.blocked.count { $0.code > outer.code } == 1 }, in: container).count == 5)
    #expect(try await codes({ outer in outer.blocked.contains { $0.id == outer.id } }, in: container).count == 6)
    #expect(
      try await codes({ outer in outer.parent.contains { $0.title == outer.title } }, in: container) == [3, 4, 6])
  }

  @Test func `a nested closure can have a condition on an outer row alone`() async throws {
    let container = try await family()
    #expect(try await codes({ outer in outer.children.contains { _ in outer.title == "odd" } }, in: container) == [1])
    let query = Query<Ticket> { $0.title == "even" }
    #expect(try await codes({ _ in query }, in: container) == [2, 4, 6])
    // A ready-made query is about the row of the closure where it is used.
    #expect(try await codes({ $0.children.contains { _ in query } }, in: container) == [1, 2, 4])
    #expect(
      try await codes({ outer in outer.children.contains { query && outer.title == $0.title } }, in: container) == [
        2, 4,
      ])
    #expect(
      try await codes({ outer in outer.children.contains { _ in query && outer.title == "odd" } }, in: container) == [1]
    )
  }

  @Test func `a closure within two others can use the rows of both`() async throws {
    let container = try await family()
    let grandparents = try await codes(
      { first in
        first.children.contains { second in
          second.children.contains { third in third.code > second.code && third.title != first.title }
        }
      }, in: container)
    #expect(grandparents == [1])
    // The relationship of an outer row, within a closure about another relationship of it.
    let siblings = try await codes(
      { first in
        first.children.contains { second in
          first.blocked.contains { third in third.id == second.id } && second.title == "even"
        }
      }, in: container)
    #expect(siblings == [1])
    let counted = try await codes(
      { first in first.children.contains { second in second.title == "even" && first.children.count == 2 } },
      in: container)
    #expect(counted == [1, 2])
  }

  @Test func `a nested closure can compare its row with an outer row of another class`() async throws {
    let container = try await PersistentContainer.shows()
    try await container.newContext().persist { objects in
      objects.insertThreeShows()
      try objects.first(Actor.self, where: { $0.name == "Bob" })?.name = "Beta"
    }
    try await container.newContext().perform { (objects) throws in
      #expect(try objects.keys { show in show.cast.contains { $0.name == show.name } } == "b")
      #expect(try objects.keys { show in show.cast.contains { $0.name > show.name } } == "a")
      #expect(try objects.keys { show in show.cast.contains { $0.born < show.year } } == "a")
      #expect(
        try objects.keys { show in show.cast.contains { $0.shows.contains { $0.year > show.year } } } == "a")
      #expect(
        try objects.keys { show in
          show.studio.contains { studio in studio.shows.contains { $0.key == show.key && $0.name != studio.name } }
        } == "ab")
    }
  }

  @Test func `a row that leaves its closure is refused`() async throws {
    var escaped: Row<Ticket>?
    let good = Query<Ticket> {
      escaped = $0
      return $0.title == "even"
    }
    #expect(try await refusal(good) == nil)
    let row = try #require(escaped)
    let text = "the query is not supported: a row: it is used outside of the closure that received it"
    #expect(try await refusal(row.title == "even") == text)
    #expect(try await refusal(!(row.title == "even")) == text)
    #expect(try await refusal(row.children.isEmpty) == text)
    #expect(try await refusal(Query { _ in row.title == "even" }) == text)
    #expect(try await refusal(Query { $0.title == row.title }) == text)
    #expect(try await refusal(good && row.title == "even") == text)
    #expect(try await refusal(Query { $0.children.contains { $0.title == row.title } }) == text)
    #expect(try await refusal(Query { _ in row.children.contains { $0.title == "even" } }) == text)
    // A whole query in a closure begins anew.
    #expect(try await refusal(Query { outer in Query { $0.title == outer.title } }) == text)
    #expect(try await refusal(Query { outer in Query { $0.title == "even" } && outer.title == "even" }) == nil)
    #expect(
      try await refusal(
        Query { outer in
          _ = FetchDescriptor(Ticket.self) { $0.title == outer.title }
          return outer.children.contains { $0.title == outer.title }
        }) == nil)
  }

  @Test func `an inner row that leaves its closure is refused in the outer one`() async throws {
    var escaped: Term<Ticket, String>?
    let query = Query<Ticket> {
      $0.children.contains {
        escaped = $0.title
        return $0.title == "even"
      } && $0.title == escaped!
    }
    #expect(try await refusal(query)?.contains("a row: it is used") == true)
    let other = Query<Ticket> { outer in
      outer.children.contains {
        escaped = $0.title
        return $0.title == "even"
      } && outer.children.contains { $0.title == escaped! }
    }
    #expect(try await refusal(other)?.contains("a row: it is used") == true)
  }

  @Test func `a query that refused a row also refuses to be evaluated in memory`() async throws {
    var escaped: Row<Ticket>?
    _ = Query<Ticket> {
      escaped = $0
      return .all
    }
    let query = try #require(escaped).title == "even"
    try await family().newContext().perform { (objects) throws in
      let ticket = try #require(try objects.first(Ticket.self))
      #expect(throws: PersistenceError.self) { try query.matches(ticket) }
    }
  }

  @Test func `queries are made on several threads at a time`() async throws {
    let container = try await family()
    let found = try await withThrowingTaskGroup(of: [Int64].self) { group in
      for _ in 0..<8 {
        group.addTask {
          var last: [Int64] = []
          for _ in 0..<50 {
            last = try await codes({ outer in outer.children.contains { $0.title == outer.title } }, in: container)
          }
          return last
        }
      }
      return try await group.reduce(into: Set()) { $0.insert($1) }
    }
    #expect(found == [[1, 2, 4]])
  }

  @Test(arguments: [390, 420])
  func `conditions on outer rows may have four hundred levels`(_ count: Int) async throws {
    let query = Query<Ticket> { outer in
      outer.children.contains { inner in
        inner.title == outer.title && (0..<count - 10).reduce(outer.title == "odd") { $0 || outer.code == Int64($1) }
      }
    }
    #expect(try await refusal(query)?.contains("nested too deeply") == (count > 400 ? true : nil))
  }
}
