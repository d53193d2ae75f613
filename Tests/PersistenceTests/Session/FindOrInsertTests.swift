import Foundation
import Testing

@testable import Persistence

private final class Sticker: ManagedObject {
  @Attribute(.unique) var name = "unnamed"
  @Attribute(.unique) var number: Int64?
  @Attribute var color = ""
  override func didInsert() { color = "gray" }
  var loudName: String { name.uppercased() }
}

private final class Series: ManagedObject {
  @Attribute var title = ""
  @ToMany(inverse: \Part.series) var parts: RelatedObjects<Part>
}

private final class Part: ManagedObject {
  @Attribute var season = 1
  @Attribute(.unique) var rating: Double?
  @Attribute(.unique) var size: UInt64?
  @ToOne var series: Series?
  override class var indexes: [AttributeIndex] { [.unique(\Part.series, \Part.season)] }
}

@Suite struct FindOrInsertTests {
  let store: TemporaryStore

  init() throws { store = try TemporaryStore() }

  private func open() async throws -> PersistentContainer {
    try await store.open(Sticker.self, Series.self, Part.self)
  }

  @Test func `a value is inserted once and then found, saved or not`() async throws {
    let context = try await open().newContext()
    let id = try await context.persist { objects in
      let (label, isInserted) = try objects.findOrInsert(Sticker.self, \.name, "swift")
      #expect(isInserted && label.name == "swift" && label.color == "gray")
      let again = try objects.findOrInsert(Sticker.self, \.name, "swift")
      #expect(!again.isInserted && again.object === label)
      label.name = "Swift"
      #expect(try objects.findOrInsert(Sticker.self, \.name, "Swift").object === label)
      return label.id
    }
    try await context.persist { objects in
      let (label, isInserted) = try objects.findOrInsert(Sticker.self, \.name, "Swift")
      #expect(!isInserted && label.id == id)
      objects.delete(label)
      let (other, isNew) = try objects.findOrInsert(Sticker.self, \.name, "Swift")
      #expect(isNew && other !== label)
    }
    let names = try await context.perform { try $0.values(of: \Sticker.name, in: FetchDescriptor(Sticker.self)) }
    #expect(names == ["Swift"])
  }

  @Test func `many values take one query, and equal values are one object`() async throws {
    let context = try await open().newContext()
    try await context.persist { objects in objects.insert(Sticker.self).name = "b" }
    try await context.persist { objects in
      let labels = try objects.findOrInsert(Sticker.self, \.name, ["c", "b", "a", "c", "e\u{301}", "\u{e9}"])
      // The last two are equal strings with different bytes, which are different values in the store.
      #expect(labels.map { Array($0.name.utf8) } == ["c", "b", "a", "c", "e\u{301}", "\u{e9}"].map { Array($0.utf8) })
      #expect(labels[0] === labels[3] && labels[4] !== labels[5])
      #expect(try objects.count(Sticker.self) == 5)
      #expect(try objects.findOrInsert(Sticker.self, \.name, []).isEmpty)
      let numbered = try objects.findOrInsert(Sticker.self, \.number, (1...3).map { Int64($0) })
      for (label, name) in zip(numbered, ["x", "y", "z"]) { label.name = name }
      #expect(numbered.map(\.number) == [1, 2, 3])
    }
    #expect(try await context.perform { try $0.count(Sticker.self) } == 8)
  }

  @Test func `a number of values beyond the limit of a query is found`() async throws {
    let context = try await open().newContext()
    let names = (0..<40_000).map { "name \($0)" }
    let count = try await context.persist { try $0.findOrInsert(Sticker.self, \.name, names).count }
    #expect(count == 40_000)
    try await context.persist { objects in
      let labels = try objects.findOrInsert(Sticker.self, \.name, names.reversed())
      #expect(labels.map(\.name) == names.reversed() && !objects.hasChanges)
    }
  }

  @Test func `values that are unique together identify an object`() async throws {
    let context = try await open().newContext()
    let id = try await context.persist { objects in
      let series = objects.insert(Series.self)
      let values: [UniqueValue<Part>] = [.set(\.season, to: 2), .set(\.series, to: series)]
      let (part, isInserted) = try objects.findOrInsert(Part.self, values)
      #expect(isInserted && part.season == 2 && part.series === series && Array(series.parts) == [part])
      #expect(try objects.findOrInsert(Part.self, values).object === part)
      #expect(try objects.findOrInsert(Part.self, values.reversed()).isInserted == false)
      #expect(try objects.findOrInsert(Part.self, [.set(\.season, to: 3), .set(\.series, to: series)]).isInserted)
      return part.id
    }
    try await context.persist { objects in
      let series = try #require(try objects.object(id).series)
      let found = try objects.findOrInsert(Part.self, [.set(\.series, to: series), .set(\.season, to: 2)])
      #expect(found.object.id == id && !found.isInserted)
    }
  }

  @Test func `an attribute that is not unique, and a value that cannot be stored, are errors`() async throws {
    let context = try await open().newContext()
    try await context.perform { objects in
      func reason(_ body: () throws -> Void) -> String {
        do {
          try body()
          return "no error"
        } catch {
          return "\(error)"
        }
      }
      let notUnique = reason { _ = try objects.findOrInsert(Sticker.self, \.color, "red") }
      #expect(notUnique.contains("Sticker.color") && notUnique.contains("is not declared unique"))
      let notUniqueInBulk = reason { _ = try objects.findOrInsert(Sticker.self, \.color, ["red"]) }
      #expect(notUniqueInBulk == notUnique)
      let computed = reason { _ = try objects.findOrInsert(Sticker.self, \.loudName, "red") }
      #expect(computed.contains("is not a stored property of Sticker"))
      let half = reason { _ = try objects.findOrInsert(Part.self, \.season, 1) }
      #expect(half.contains("Part.season"))
      let twice = reason {
        _ = try objects.findOrInsert(Part.self, [.set(\.season, to: 1), .set(\.season, to: 2)])
      }
      #expect(twice.contains("no unique index of exactly these properties"))
      let none = reason { _ = try objects.findOrInsert(Part.self, []) }
      #expect(none.contains("Part"))
      let nan = reason { _ = try objects.findOrInsert(Part.self, \.rating, .nan) }
      #expect(nan.contains("Part.rating") && nan.contains("NaN"))
      let large = reason { _ = try objects.findOrInsert(Part.self, \.size, [1, .max]) }
      #expect(large.contains("Part.size") && large.contains("Int64.max"))
      #expect(!objects.hasChanges)
      let gone = objects.insert(Series.self)
      objects.delete(gone)
      let deleted = reason {
        _ = try objects.findOrInsert(Part.self, [.set(\.season, to: 1), .set(\.series, to: gone)])
      }
      #expect(deleted.contains("Series"))
      objects.rollback()
    }
  }

  @Test func `a rollback removes what was inserted, and the value is then inserted again`() async throws {
    let context = try await open().newContext()
    await #expect(throws: PersistenceError.self) {
      try await context.persist { objects in
        _ = try objects.findOrInsert(Sticker.self, \.name, ["a", "b"])
        throw Stop()
      }
    }
    try await context.persist { objects in
      let count = try objects.count(Sticker.self)
      #expect(count == 0)
      #expect(try objects.findOrInsert(Sticker.self, \.name, "a").isInserted)
    }
  }

  @Test func `two contexts that insert the same value conflict as any unique value does`() async throws {
    let container = try await open()
    let view = container.viewContext
    try await MainActor.run { _ = try view.objects.findOrInsert(Sticker.self, \.name, "a") }
    try await container.newContext().persist { _ = try $0.findOrInsert(Sticker.self, \.name, "a") }
    await MainActor.run {
      #expect {
        try view.save()
      } throws: { error in
        guard case .notUnique(let violation) = error as? PersistenceError else { return false }
        return violation.attributes == ["name"]
      }
      view.rollback()
      #expect((try? view.objects.findOrInsert(Sticker.self, \.name, "a").isInserted) == false)
    }
  }
}
