import Foundation
import Testing

@testable import Persistence

@Suite struct OwnRowTests {
  private let tracked: TrackedStore

  init() throws {
    var configuration = StoreConfiguration()
    configuration.history = .kept()
    tracked = try TrackedStore(TrackedStore.schema, in: nil, configuration)
    try tracked.file.connection.execute("CREATE TABLE own(name TEXT, value)")
  }

  private func stored() throws -> [String] { try tracked.file.rows("SELECT name FROM own ORDER BY 1") }

  @Test func `rows of other tables are committed with the changes of objects, and without any`() throws {
    let inserted = try tracked.space.persist { objects in
      objects.insert(Title.self).name = "with it"
      return try objects.run("INSERT INTO own VALUES(?1,?2),(?3,NULL)", [.text("a"), .real(0.5), .text("b")])
    }
    let count = try tracked.space.persist { try $0.run("UPDATE own SET name='c' WHERE value=?1", [.real(0.5)]) }
    #expect(inserted == 2 && count == 1)
    #expect(try stored() == ["b", "c"])
    let values = try tracked.space.perform { try $0.rows("SELECT * FROM own WHERE name=?1", [.text("c")]) }
    #expect(values == [[.text("c"), .real(0.5)]])
  }

  @Test func `rows of other tables are rolled back with the closure`() throws {
    #expect(throws: PersistenceError.self) {
      try tracked.space.persist { objects in
        try objects.run("INSERT INTO own VALUES('a',1)")
        throw Stop()
      }
    }
    try tracked.space.persist { objects in
      try objects.run("INSERT INTO own VALUES('b',1)")
      objects.rollback()
    }
    #expect(try stored().isEmpty)
    #expect(!tracked.space.connection.isInTransaction)
  }

  @Test func `a query reads what the closure has written, but writes nothing that is pending`() throws {
    try tracked.space.persist { objects in
      objects.insert(Title.self).name = "pending"
      try objects.run("INSERT INTO own VALUES('a',1)")
      #expect(
        try objects.rows("SELECT (SELECT count(*) FROM own),(SELECT count(*) FROM Title)") == [
          [.integer(1), .integer(0)]
        ])
    }
  }

  @Test func `a statement needs persist, and a value for each parameter`() throws {
    #expect(throws: PersistenceError.self) { try tracked.space.perform { try $0.run("DELETE FROM own") } }
    for values: [StoredValue] in [[], [.null, .null]] {
      #expect(throws: PersistenceError.self) {
        try tracked.space.persist { try $0.run("INSERT INTO own VALUES(?1,1)", values) }
      }
    }
    #expect(try stored().isEmpty)
  }
}
