import Foundation
import Testing

@testable import Persistence

/// Keeps the stored values of what a transaction changes, in a table of the store, as an outbox would.
private final class BaseKeeper: SaveObserver {
  var wanted: SaveInterest = [.rows, .writes]
  /// Thrown by the next call of `record`, and of `interest`.
  var failure: PersistenceError?
  var refusal: PersistenceError?
  private(set) var events: [String] = []
  private(set) var pairs = 0
  private(set) var changes: ChangeSet?
  private var connection: Connection?

  func interest(in connection: Connection) throws(PersistenceError) -> SaveInterest {
    self.connection = connection
    if let refusal { throw refusal }
    try connection.execute(
      "CREATE TABLE IF NOT EXISTS base(entity TEXT,id INTEGER,slot INTEGER,value,PRIMARY KEY(entity,id,slot))")
    return wanted
  }

  func willChange(_ slots: SlotSet, of entity: Entity, rows: String) throws(PersistenceError) {
    events.append("will change \(entity.name)")
    for slot in slots {
      try connection?.execute(
        "INSERT OR IGNORE INTO base SELECT '\(entity.name)',\(SQL.name(SQL.id)),\(slot),\(entity.columns[slot].quoted) "
          + "FROM \(entity.table) WHERE \(SQL.name(SQL.id)) IN \(rows)")
    }
  }

  func willChangePairs(of join: JoinTable, where condition: String) throws(PersistenceError) {
    let count = try connection?.statement("SELECT count(*) FROM \(SQL.name(join.name)) WHERE \(condition)").integer()
    pairs += Int(count ?? 0)
  }

  func record(_ changes: ChangeSet) throws(PersistenceError) {
    if let failure { throw failure }
    for changes in changes.entities {
      for row in changes.rows {
        events.append("\(row.kind) \(changes.entity.name)")
        for slot in row.kind == .inserted ? [-1] : changes.slots(of: row) {
          let insertion = try connection?.statement("INSERT OR IGNORE INTO base VALUES(?,?,?,?)")
          let old = slot < 0 ? .null : changes.values(slot, of: row)?.old ?? .null
          try insertion?.bind([.text(changes.entity.name), .integer(row.id), .integer(Int64(slot)), old])
          try insertion?.run()
        }
      }
    }
  }

  func committed(_ changes: ChangeSet?) {
    events.append("committed")
    self.changes = changes
  }

  func rolledBack() { events.append("rolled back") }

  func clear() { (events, pairs) = ([], 0) }

  func base(_ slot: Int, of name: String, _ id: Int64) throws -> StoredValue? {
    let connection = try #require(connection)
    let statement = try connection.statement("SELECT value FROM base WHERE entity=? AND slot=? AND id=?")
    try statement.bind([.text(name), .integer(Int64(slot)), .integer(id)])
    guard try statement.step() else { return nil }
    defer { statement.reset() }
    return statement.value(0)
  }
}

private enum Edit: CaseIterable { case object, bulk, imported }

@Suite struct SaveObserverTests {
  private let file: TemporaryStore
  private let store: Store
  private let space: ObjectSpace
  private let keeper = BaseKeeper()
  /// The slot of `Title.name`.
  private let name = 1

  init() throws {
    file = try TemporaryStore()
    store = try Store(.file(file.file), TitleRow.schema, StoreConfiguration())
    space = try ObjectSpace(store.access)
    try space.persist { objects in
      for number in 0..<40 {
        let title = objects.insert(Title.self)
        title.remoteID = Int64(number)
        title.name = "stored \(number)"
        let tag = objects.insert(Tag.self)
        title.tags.insert(tag)
        objects.insert(Review.self).title = title
      }
    }
    space.saveObservers.append(keeper)
  }

  private func title(_ number: Int64) throws -> Title {
    try #require(space.fetch(Title.self) { $0.remoteID == number }.first)
  }

  private func make(_ edit: Edit) throws {
    switch edit {
    case .object: try title(5).name = "by object"
    case .bulk: try space.update(Title.self, where: { $0.remoteID >= 4 }, set: [.set(\.name, to: "in bulk")])
    case .imported:
      let rows = (0..<20).map { TitleRow(id: Int64($0 * 5), name: "imported") }
      try space.import(
        rows, into: Title.self, matching: \.remoteID, [.set(\.remoteID) { $0.id }, .set(\.name) { $0.name }])
    }
  }

  private static let orders: [[Edit]] = Edit.allCases.flatMap { first in
    Edit.allCases.filter { $0 != first }.flatMap { second in
      [[first, second, Edit.allCases.first { $0 != first && $0 != second }!], [first, second]]
    }
  }

  @Test(arguments: orders, [true, false])
  fileprivate func `the base of a row that is changed by object, in bulk and by an import is its stored value`(
    order: [Edit], isInMemory: Bool
  ) throws {
    let (id, rest) = try space.persist { objects in
      let held = isInMemory ? try title(5) : nil
      for edit in order { try make(edit) }
      let id = try title(5).id
      return try withExtendedLifetime(held) { (id, try objects.fetch(Title.self).map { ($0.id, $0.remoteID ?? 0) }) }
    }
    #expect(try keeper.base(name, of: "Title", id.rawValue) == .text("stored 5"))
    for (id, number) in rest {
      let base = try keeper.base(name, of: "Title", id.rawValue)
      // Rows that the import has inserted have no stored values.
      #expect(number >= 40 || base == nil || base == .text("stored \(number)"))
      let isNew = try keeper.base(-1, of: "Title", id.rawValue) != nil
      #expect(isNew == (number >= 40))
      let isChanged =
        number == 5 || order.contains(.bulk) && number >= 4 || order.contains(.imported) && number % 5 == 0
      #expect(number >= 40 || isChanged == (base != nil), "\(number)")
    }
    let change = try #require(keeper.changes?.change(of: id))
    let values = change.values(of: \.name)
    if isInMemory { #expect(values?.old == "stored 5") } else { #expect(values.map { $0.old == "stored 5" } ?? true) }
  }

  @Test func `observers are called before the rows and pairs of a cascading bulk deletion are deleted`() throws {
    try space.persist { objects in _ = try objects.delete(Title.self, where: { $0.remoteID < 10 }) }
    #expect(keeper.events.prefix(2).sorted() == ["will change Review", "will change Title"])
    #expect(keeper.events.count { $0 == "deleted Title" } == 10 && keeper.events.count { $0 == "deleted Review" } == 10)
    #expect(keeper.events.last == "committed" && keeper.pairs == 10)
    for id in 1...10 { #expect(try keeper.base(name, of: "Title", Int64(id)) == .text("stored \(id - 1)")) }
  }

  @Test func `each write of a transaction is recorded once, with the values from before it`() throws {
    func record() throws {
      try space.update(Reply.self, set: [.set(\.text, to: "of no row")])
      #expect(keeper.events.last == "will change Reply")
    }
    try space.persist { objects in
      let (old, new) = (try title(1), objects.insert(Title.self))
      old.name = "first"
      try record()
      #expect(keeper.events.dropLast().sorted() == ["inserted Title", "updated Title"])
      keeper.clear()
      (old.name, new.name) = ("second", "second")
      try record()
      #expect(keeper.events.dropLast() == ["updated Title", "updated Title"])
      keeper.clear()
      objects.delete(new)
      try record()
      try record()
      #expect(keeper.events.dropLast(2) == ["deleted Title"])
      keeper.clear()
    }
    #expect(keeper.events == ["committed"])
    #expect(try keeper.base(name, of: "Title", 2) == .text("stored 1"))
  }

  @Test func `an error of an observer rolls back the changes and what it has written`() throws {
    keeper.failure = .unsavedChanges
    #expect(throws: PersistenceError.self) {
      try space.persist { _ in
        try make(.bulk)
        try make(.object)
      }
    }
    #expect(keeper.events == ["will change Title", "rolled back"])
    #expect(try space.perform { try $0.count(Title.self) { $0.name == "in bulk" } } == 0)
    keeper.failure = nil
    try space.persist { _ in try make(.object) }
    #expect(try keeper.base(name, of: "Title", 5) == nil)
    #expect(try keeper.base(name, of: "Title", 6) == .text("stored 5"))
  }

  @Test func `an observer that cannot begin ends the transaction`() throws {
    keeper.refusal = .unsavedChanges
    #expect(throws: PersistenceError.self) { try space.persist { _ in try make(.object) } }
    #expect(keeper.events == ["rolled back"] && !space.connection.isInTransaction)
    keeper.refusal = nil
    try space.persist { _ in try make(.object) }
    #expect(try keeper.base(name, of: "Title", 6) == .text("stored 5"))
  }

  @Test func `a batch of an import is recorded before the next one, with what its closures changed`() throws {
    let keys = (100..<Int64(100 + 2 * RowImporter.batch)).map { $0 }
    try space.persist { objects in
      let edited = try title(1)
      try objects.import(
        [1] + keys.dropLast(), into: Title.self, matching: \.remoteID,
        [
          .set(\.remoteID) { key in
            if key == 1 || key == 120 { edited.name = "edited at \(key)" }
            return key
          }
        ])
    }
    let batch = RowImporter.batch
    let inserted = keeper.events.enumerated().filter { $0.element == "inserted Title" }.map(\.offset)
    let calls = keeper.events.enumerated().filter { $0.element == "will change Title" }.map(\.offset)
    #expect(calls.count == 2 && inserted.count == 2 * batch - 1)
    #expect(inserted.count { $0 < calls[1] } == batch - 1 && inserted.allSatisfy { $0 > calls[0] })
    #expect(keeper.events.prefix(2) == ["updated Title", "will change Title"])
    #expect(try keeper.base(name, of: "Title", 2) == .text("stored 1"))
    #expect(try space.perform { try $0.count(Title.self) { $0.name == "edited at 120" } } == 1)
  }

  @Test func `what was recorded before a rollback is recorded again`() throws {
    try space.persist { objects in
      let new = objects.insert(Title.self)
      try make(.bulk)
      objects.rollback()
      #expect(keeper.events.suffix(1) == ["rolled back"] && new.isDeleted)
      keeper.clear()
      objects.insert(Title.self).name = "new"
      try make(.bulk)
    }
    #expect(keeper.events.prefix(2) == ["inserted Title", "will change Title"])
    #expect(keeper.events.last == "committed")
  }

  @Test func `an observer that does not follow the writes receives only the commit`() throws {
    keeper.wanted = []
    try space.persist { _ in for edit in Edit.allCases { try make(edit) } }
    #expect(keeper.events == ["committed"])
  }

  @Test func `every imported row is recorded, however many there are`() throws {
    try space.persist { objects in
      let rows = (0..<BulkChanges.limit + 1).map { TitleRow(id: Int64($0)) }
      try objects.import(rows, into: Title.self, matching: \.remoteID, TitleRow.fields)
    }
    #expect(keeper.events.count { $0 == "inserted Title" } == BulkChanges.limit + 1 - 40)
  }
}
