import Foundation
import Testing

@testable import Persistence

private final class Half: ManagedObject {
  @Attribute(.unique) var key: Int?
  @ToOne(inverse: \Half.previous) var next: Half?
  @ToOne var previous: Half?
}

private enum Finish: String, AttributeValue { case plain }

private final class Pin: ManagedObject {
  @Attribute(.unique) var key: Int?
  @Attribute var mood = Finish.plain
  @ToMany var walls: RelatedObjects<Wall>
}

private final class Wall: ManagedObject {
  @Attribute(.unique) var key: Int?
  @ToMany(inverse: \Pin.walls, ordered: true) var pins: RelatedObjects<Pin>

  static var schema: Schema {
    Schema(Wall.self, Pin.self).tracking([TrackedClass(Wall.self, lists: [\Wall.pins]), TrackedClass(Pin.self)])
  }
}

@Suite struct RemoteInsertionTests {
  private let tracked: TrackedStore

  init() throws { tracked = try TrackedStore() }

  @discardableResult
  private func apply<Result>(
    to tracked: TrackedStore? = nil, _ body: (RemoteWriter) throws -> Result
  ) throws -> Result {
    try (tracked ?? self.tracked).space.persist { try $0.applyRemote(body) }
  }

  private func titles() throws -> [String] {
    try tracked.file.rows("SELECT _id,remoteID,name,rating,year FROM Title ORDER BY 1")
  }

  @Test(arguments: [1, 31, 32, 33, 100]) func `many rows have what single ones have`(count: Int) throws {
    let ids = try apply { remote in
      try remote.insert("Title", ["name", "remoteID"], rows: count) { row, property in
        property == 1 ? .integer(Int64(row)) : row % 3 == 0 ? nil : .text("title \(row)")
      }
    }
    let many = try titles()
    #expect(many.count == count && Set(ids).count == count)
    let other = try TrackedStore()
    try apply(to: other) { remote in
      for row in 0..<count {
        var values: [String: StoredValue] = ["remoteID": .integer(Int64(row))]
        if row % 3 != 0 { values["name"] = .text("title \(row)") }
        _ = try remote.insert("Title", values)
      }
    }
    #expect(try other.file.rows("SELECT _id,remoteID,name,rating,year FROM Title ORDER BY 1") == many)
    #expect(try tracked.base.isEmpty && tracked.file.ties.isEmpty)
  }

  @Test func `one of many rows may take a unique value that another row gives up later`() throws {
    let known = try tracked.insertTitles(40)
    let ids = try apply { remote in
      let ids = try remote.insert("Title", ["remoteID"], rows: 64) { row, _ in .integer(Int64(row)) }
      try remote.update("Title", id: known[0], ["remoteID": .integer(100)])
      return ids
    }
    #expect(try tracked.file.rows("SELECT _id FROM Title WHERE remoteID=40") == ["\(ids[40])"])
    #expect(try tracked.file.rows("SELECT count(*) FROM Title") == ["65"])
  }

  @Test func `if two of many rows have the same unique value, none is inserted`() throws {
    #expect(throws: PersistenceError.self) {
      try apply { remote in
        try remote.insert("Title", ["remoteID"], rows: 64) { row, _ in .integer(Int64(row % 63)) }
      }
    }
    #expect(try titles().isEmpty)
  }

  @Test func `a value that is not of the attribute's type is named`() throws {
    for (property, value) in [("rating", StoredValue.real(.nan)), ("name", .integer(1)), ("name", .null)] {
      let error = #expect(throws: PersistenceError.self) {
        try apply { try $0.insert("Title", [property], rows: 40) { row, _ in row == 35 || row == 20 ? value : nil } }
      }
      guard case .invalidValue(let invalid) = error else {
        Issue.record("\(property): \(String(describing: error))")
        continue
      }
      #expect(invalid.type == "Title" && invalid.attribute == property)
    }
    #expect(try titles().isEmpty)
  }

  @Test func `both sides of one-to-one relationships are set`() throws {
    let tracked = try TrackedStore(Schema(Half.self).tracking([TrackedClass(Half.self)]))
    let ids = try apply(to: tracked) { remote in
      let first = try remote.insert("Half", ["key"], rows: 40) { row, _ in .integer(Int64(row)) }
      return try first
        + remote.insert("Half", ["key", "next"], rows: 40) { row, property in
          .integer(property == 0 ? Int64(row + 40) : first[row])
        }
    }
    let pairs = try tracked.file.rows("SELECT previous FROM Half WHERE key<40 ORDER BY key")
    #expect(pairs == ids[40...].map { "\($0)" })
  }

  @Test func `members that cannot be read come, go and move`() throws {
    let first = try TrackedStore(Wall.schema)
    try apply(to: first) { remote in
      let pins = try remote.insert("Pin", ["key"], rows: 3) { row, _ in .integer(Int64(row)) }
      try remote.setMembers("Wall", id: remote.insert("Wall", ["key": .integer(1)]), "pins", to: pins)
    }
    _ = try first.file.rows("UPDATE Pin SET mood='odd' WHERE _id=2")
    // Objects that are in memory can be read.
    let second = try TrackedStore(Wall.schema, in: first.folder)
    for members: [Int64] in [[3, 1], [2, 3], [3, 2, 1], [2], []] {
      try apply(to: second) { try $0.setMembers("Wall", id: 1, "pins", to: members) }
      #expect(try apply(to: second) { try $0.members("Wall", id: 1, "pins") } == members)
    }
  }

  @Test func `other contexts see them`() async throws {
    try tracked.insertTitles(1)
    let container = try await PersistentContainer(at: .file(tracked.folder.file), schema: TrackedStore.schema)
    let shown = try await MainActor.run { try container.viewContext.fetch(Title.self).count }
    #expect(shown == 1)
    var commits = container.commits.makeAsyncIterator()
    try await container.newContext().persist { objects in
      try objects.applyRemote { remote in
        let ids = try remote.insert("Title", ["remoteID"], rows: 64) { row, _ in .integer(Int64(row + 2)) }
        try remote.update("Title", id: ids[3], ["name": .text("changed")])
      }
    }
    #expect(await commits.next()?.affects(Title.self) == true)
    let names = try await MainActor.run { try container.viewContext.fetch(Title.self).map(\.name) }
    #expect(names.count == 65 && names.contains("changed"))
    await container.close()
  }
}
