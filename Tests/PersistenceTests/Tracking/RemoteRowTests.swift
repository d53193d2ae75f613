import Foundation
import Testing

@testable import Persistence

private final class Strict: ManagedObject {
  @Attribute var name = "default"
  @Attribute(.unique) var key: String?
  @ToOne(inverse: \Strict.previous) var next: Strict?
  @ToOne var previous: Strict?

  override func didInsert() { name = "edited" }
  override func validate() throws { if name != "valid" { throw Stop() } }

  static var tracked: Schema { Schema(Strict.self).tracking([TrackedClass(Strict.self)]) }
}

@Suite struct RemoteRowTests {
  private let tracked: TrackedStore

  init() throws { tracked = try TrackedStore() }

  @discardableResult
  private func apply<Result>(_ body: (RemoteWriter) throws -> Result) throws -> Result {
    try tracked.space.persist { try $0.applyRemote(body) }
  }

  private func expectNothingRecorded(_ location: SourceLocation = #_sourceLocation) throws {
    let records = try ["Title", "Review"].flatMap { try tracked.file.base(of: $0).keys }
    #expect(records.isEmpty, sourceLocation: location)
    #expect(try tracked.file.ties.isEmpty, sourceLocation: location)
    #expect(try tracked.file.rows("SELECT * FROM _larder_applying").isEmpty, sourceLocation: location)
  }

  @Test func `remote rows are written, and neither recorded nor tied`() throws {
    let ids = try tracked.insertTitles(1, 2, 3)
    let new = try apply { remote in
      try remote.update("Title", id: ids[0], ["name": .text("theirs"), "year": .integer(2000)])
      try remote.update("Title", id: ids[1], ["name": .text("title 2")])
      #expect(try remote.delete("Title", id: ids[2]).isEmpty)
      return try remote.insert("Title", ["remoteID": .integer(4), "name": .text("new")])
    }
    try expectNothingRecorded()
    #expect(
      try tracked.file.rows("SELECT _id,remoteID,name,rating,year FROM Title ORDER BY 1") == [
        "\(ids[0]) 1 theirs 1.5 2000", "\(ids[1]) 2 title 2 1.5 -", "\(new) 4 new 1.5 -",
      ])
  }

  @Test func `a call without changes leaves no exception`() throws {
    try apply { _ in }
    try expectNothingRecorded()
    try tracked.space.persist { objects in for name in ["a", "b"] { objects.insert(Title.self).name = name } }
    #expect(try tracked.base.map(\.value) == [.inserted, .inserted])
    #expect(try tracked.file.ties.map(\.count) == [2])
  }

  @Test func `a rollback ends the exception`() throws {
    let ids = try tracked.insertTitles(1)
    #expect(throws: PersistenceError.self) {
      try apply { remote in
        try remote.update("Title", id: ids[0], ["name": .text("theirs")])
        throw Stop()
      }
    }
    try tracked.space.persist { try $0.fetch(Title.self)[0].name = "mine" }
    #expect(try tracked.base == [ids[0]: .title(1)])
  }

  @Test func `an error fails the whole persist, even if it is caught`() throws {
    let ids = try tracked.insertTitles(1)
    #expect(throws: PersistenceError.self) {
      try tracked.space.persist { objects in
        try? objects.applyRemote { try $0.update("Title", id: ids[0], ["name": .integer(1)]) }
      }
    }
    #expect(throws: PersistenceError.self) {
      try tracked.space.persist { objects in try objects.applyRemote { _ in objects.rollback() } }
    }
    try expectNothingRecorded()
  }

  @Test func `changes before and after remote rows in the same persist are recorded`() throws {
    let ids = try tracked.insertTitles(1, 2, 3)
    try tracked.space.persist { objects in
      let titles = try objects.fetch(Title.self)
      titles[0].name = "before"
      try objects.applyRemote { try $0.update("Title", id: ids[1], ["name": .text("theirs")]) }
      titles[2].name = "after"
    }
    #expect(try tracked.base == [ids[0]: .title(1), ids[2]: .title(3)])
  }

  @Test func `remote rows that swap unique values, or take that of a deleted row, are written`() throws {
    let ids = try tracked.insertTitles(1, 2, 3, 4)
    let new = try apply { remote in
      try remote.update("Title", id: ids[0], ["remoteID": .integer(2)])
      try remote.update("Title", id: ids[1], ["remoteID": .integer(1)])
      let early = try remote.insert("Title", ["remoteID": .integer(3)])
      _ = try remote.delete("Title", id: ids[2])
      _ = try remote.delete("Title", id: ids[3])
      return [early, try remote.insert("Title", ["remoteID": .integer(4)])]
    }
    let rows = try tracked.file.rows("SELECT _id,remoteID FROM Title ORDER BY 2")
    #expect(rows == ["\(ids[1]) 1", "\(ids[0]) 2", "\(new[0]) 3", "\(new[1]) 4"])
    try expectNothingRecorded()
  }

  @Test func `a remote deletion removes references and pairs, and applies no delete rule`() throws {
    let id = try tracked.space.persist { objects in
      let (title, house, review) = (objects.insert(Title.self), objects.insert(House.self), objects.insert(Review.self))
      title.studio = house
      title.tags.insert(objects.insert(Tag.self))
      review.title = title
      objects.insert(Reply.self).review = review
      return title.id.rawValue
    }
    for name in ["Title", "Review"] { try tracked.file.clear(name) }
    let removed = try apply { remote in
      let pending = try remote.insert("Review", ["text": .text("new"), "title": .integer(id)])
      let removed = try remote.delete("Title", id: id) + remote.delete("Review", id: 1) + remote.delete("House", id: 1)
      return removed.filter { $0.id != pending } + removed.filter { $0.id == pending }
    }
    #expect(
      removed.map { "\($0.type) \($0.property)" } == ["Review title", "Reply review", "Review title"])
    #expect(try tracked.file.rows("SELECT text,title FROM Review") == ["new -"])
    #expect(try tracked.file.rows("SELECT _id,review FROM Reply") == ["1 -"])
    #expect(try tracked.file.rows("SELECT * FROM \"Tag.titles+Title.tags\"").isEmpty)
    try expectNothingRecorded()
  }

  @Test func `objects in memory and other contexts have the remote values`() async throws {
    let ids = try tracked.insertTitles(1)
    let container = try await PersistentContainer(at: .file(tracked.folder.file), schema: TrackedStore.schema)
    try await MainActor.run {
      let shown = try container.viewContext.fetch(Title.self)[0]
      #expect(shown.reviews.isEmpty && shown.studio == nil)
    }
    try await container.newContext().persist { objects in
      let (title, house) = (try objects.fetch(Title.self)[0], objects.insert(House.self))
      #expect(title.reviews.isEmpty && house.titles.isEmpty)
      try objects.applyRemote { remote in
        try remote.update("Title", id: ids[0], ["studio": .integer(house.id.rawValue)])
        _ = try remote.insert("Review", ["title": .integer(ids[0])])
      }
      #expect(title.reviews.count == 1 && title.studio == house && house.titles.first == title)
    }
    try await MainActor.run {
      let shown = try container.viewContext.fetch(Title.self)[0]
      #expect(shown.reviews.count == 1 && shown.studio != nil)
    }
  }

  @Test func `remote objects are not validated or set up, and local ones in the same persist are`() throws {
    let strict = try TrackedStore(Strict.tracked)
    let insert = { (objects: ObjectSpace) in
      try objects.applyRemote { remote in
        let id = try remote.insert("Strict", ["key": .text("a")])
        try remote.update("Strict", id: id, ["key": .text("b")])
      }
    }
    try strict.space.persist(insert)
    #expect(try strict.file.rows("SELECT name,key FROM Strict") == ["default b"])
    #expect(throws: PersistenceError.self) {
      try strict.space.persist { objects in
        try insert(objects)
        objects.insert(Strict.self).key = "c"
      }
    }
  }

  @Test func `a remote value sets both sides of a one-to-one relationship, and ends those of the previous partners`()
    throws
  {
    let strict = try TrackedStore(Strict.tracked)
    try strict.space.persist { objects in
      try objects.applyRemote { remote in
        let ids = try (0..<4).map { try remote.insert("Strict", ["key": .text("\($0)")]) }
        try remote.update("Strict", id: ids[0], ["next": .integer(ids[1])])
        try remote.update("Strict", id: ids[3], ["previous": .integer(ids[2])])
        try remote.update("Strict", id: ids[0], ["next": .integer(ids[3])])
      }
    }
    #expect(
      try strict.file.rows("SELECT _id,next,previous FROM Strict ORDER BY 1") == ["1 4 -", "2 - -", "3 - -", "4 - 1"])
  }

  @Test(arguments: [
    ("name", StoredValue.integer(1)), ("remoteID", .text("1")), ("rating", .null), ("genre", .text("western")),
    ("studio", .text("x")), ("tags", .null), ("nothing", .null),
  ])
  func `a remote value of another type, or of no attribute, is refused by its name`(
    _ property: String, _ value: StoredValue
  ) throws {
    let ids = try tracked.insertTitles(1)
    do {
      try apply { try $0.update("Title", id: ids[0], [property: value]) }
      Issue.record("the value was accepted")
    } catch PersistenceError.invalidValue(let problem) {
      #expect(problem.type == "Title" && problem.attribute == property && problem.id == ids[0])
    }
    try expectNothingRecorded()
  }

  @Test func `remote rows that do not exist, and classes that the schema lacks, are refused`() throws {
    #expect(throws: PersistenceError.self) { try apply { try $0.update("Title", id: 7, [:]) } }
    #expect(throws: PersistenceError.self) { try apply { try $0.delete("Title", id: 7) } }
    #expect(throws: PersistenceError.self) { try apply { try $0.insert("Titel", [:]) } }
    #expect(throws: PersistenceError.self) { try apply { try $0.insert("Title", ["studio": .integer(7)]) } }
    #expect(throws: PersistenceError.self) { try tracked.space.perform { try $0.applyRemote { _ in } } }
    let writer = try apply { $0 }
    #expect(throws: PersistenceError.self) { try writer.insert("Title", [:]) }
    try expectNothingRecorded()
    #expect(try tracked.file.rows("SELECT * FROM Title").isEmpty)
  }
}
