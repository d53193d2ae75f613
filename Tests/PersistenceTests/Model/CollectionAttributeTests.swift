import Foundation
import Testing

@testable import Persistence

private struct Spot: Codable, Hashable, Sendable {
  var name = ""
  var weight: Double?
}

extension Spot: CodableAttribute {}

private final class Memo: ManagedObject {
  @Attribute var tags: [String] = []
  @Attribute var maybeTags: [String]?
  @Attribute var scores: [String: Int] = [:]
  @Attribute var days: Set<Int> = []
  @Attribute var spot = Spot()
  @Attribute var spots: [Spot] = []
  @Attribute var factors: [Double] = []
  var sortedTags: [String] { tags.sorted() }
}

/// Attributes that are arrays, dictionaries, sets and values of one's own types.
@Suite struct CollectionAttributeTests {
  let store: TemporaryStore

  init() throws { store = try TemporaryStore() }

  private func container() async throws -> PersistentContainer {
    let container = try await store.open(Memo.self)
    try await container.newContext().persist { objects in
      let memo = objects.insert(Memo.self)
      memo.tags = ["b", "a", "\"/é"]
      memo.scores = ["z": 1, "a": -2]
      memo.days = [3, 1, 2]
      memo.spot = Spot(name: "Bonn", weight: 0.5)
      memo.spots = [Spot(name: "x"), Spot(name: "y", weight: 2)]
      _ = objects.insert(Memo.self)
    }
    return container
  }

  @Test(.enabled(if: SQLiteShell.isAvailable, "needs the sqlite3 command"))
  func `collections and Codable values are stored as JSON text and read again`() async throws {
    let container = try await container()
    try await container.newContext().perform { objects in
      let memo = try #require(try objects.first(Memo.self))
      #expect(memo.tags == ["b", "a", "\"/é"] && memo.maybeTags == nil && memo.scores == ["z": 1, "a": -2])
      #expect(memo.days == [1, 2, 3] && memo.spot == Spot(name: "Bonn", weight: 0.5) && memo.spots.count == 2)
    }
    let text = try await SQLiteShell.run(
      "SELECT tags, maybeTags IS NULL, scores, days, spot, json_array_length(spots) FROM Memo LIMIT 1", on: store.file)
    #expect(
      text.trimmingCharacters(in: .newlines)
        == #"["b","a","\"/é"]|1|{"a":-2,"z":1}|[1,2,3]|{"name":"Bonn","weight":0.5}|2"#)
  }

  @Test func `conditions compare collections with values and with nil`() async throws {
    let container = try await container()
    try await container.newContext().persist { objects in
      #expect(try objects.count(Memo.self, where: { $0.tags == ["b", "a", "\"/é"] }) == 1)
      #expect(try objects.count(Memo.self, where: { $0.tags != [] }) == 1)
      #expect(try objects.count(Memo.self, where: { $0.maybeTags == nil }) == 2)
      #expect(try objects.count(Memo.self, where: { $0.days == [3, 2, 1] }) == 1)
      #expect(try objects.count(Memo.self, where: { $0.scores == ["a": -2, "z": 1] }) == 1)
      #expect(try objects.count(Memo.self, where: { $0.spot == Spot(name: "Bonn", weight: 0.5) }) == 1)
      let memo = try #require(try objects.first(Memo.self))
      memo.maybeTags = []
      #expect(try Query<Memo> { $0.maybeTags == [] && $0.tags.isIn([["b", "a", "\"/é"], []]) }.matches(memo))
      #expect(try objects.count(Memo.self, where: { $0.maybeTags != nil }) == 1)
      #expect(throws: PersistenceError.self) { try objects.count(Memo.self, where: { $0.sortedTags == [] }) }
      objects.rollback()
      #expect(memo.maybeTags == nil)
    }
  }

  @Test(.enabled(if: SQLiteShell.isAvailable, "needs the sqlite3 command"))
  func `a value without JSON, and text that is not a value, name the object and the attribute`() async throws {
    let container = try await container()
    await #expect {
      try await container.newContext().persist { objects in objects.insert(Memo.self).factors = [1, .nan] }
    } throws: { error in
      guard case .invalidValue(let invalid) = error as? PersistenceError else { return false }
      return invalid.type == "Memo" && invalid.attribute == "factors" && invalid.id > 0
    }
    _ = try await SQLiteShell.run("UPDATE Memo SET scores='[1]'", on: store.file)
    await #expect {
      try await container.newContext().perform { _ = try $0.fetch(Memo.self) }
    } throws: { error in
      guard case .invalidValue(let invalid) = error as? PersistenceError else { return false }
      return invalid.type == "Memo" && invalid.attribute == "scores" && invalid.id > 0
    }
  }

  @Test func `changes of a collection are merged, undone and reported like those of any attribute`() async throws {
    let container = try await container()
    let (first, second) = (container.newContext(), container.newContext())
    let id = try await first.perform { try $0.fetchIDs(FetchDescriptor(Memo.self))[0] }
    await first.setUndoLimit(5)
    try await second.perform { _ = try $0.object(id) }
    try await first.persist { objects in
      let memo = try objects.object(id)
      memo.tags.append("new")
      memo.days = [1, 2, 3]
      let changes = memo.changes
      #expect(changes.map(\.attribute) == ["tags"])
    }
    try await second.persist { objects in
      let memo = try objects.object(id)
      memo.scores["m"] = 5
      #expect(memo.tags.last == "new")
    }
    let scores = try await first.perform { try $0.object(id).scores }
    #expect(scores == ["z": 1, "a": -2, "m": 5])
  }
}
