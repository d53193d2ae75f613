import Foundation
import Testing

@testable import Persistence

private struct Inner: QueryableValue {
  var city = ""

  static var jsonNames: [PartialKeyPath<Inner>: String] { [\.city: "city"] }
}

private struct Outer: QueryableValue {
  var inner = Inner()

  static var jsonNames: [PartialKeyPath<Outer>: String] { [\.inner: "b"] }

  enum CodingKeys: String, CodingKey { case inner = "b" }
}

private final class Ambiguous: ManagedObject {
  @Attribute var a = Outer()
  @Attribute(.column("a/b")) var other = Inner()

  override class var indexes: [AttributeIndex] {
    [.on(Ambiguous.self, by: { $0.a.inner.city }), .on(Ambiguous.self, by: { $0.other.city })]
  }
}

private struct Cases: QueryableValue {
  var small = ""
  var large = ""

  static var jsonNames: [PartialKeyPath<Cases>: String] { [\.small: "city", \.large: "City"] }

  enum CodingKeys: String, CodingKey { case small = "city", large = "City" }
}

private final class SameName: ManagedObject {
  @Attribute var value = Cases()

  override class var indexes: [AttributeIndex] {
    [.on(SameName.self, by: { $0.value.small }), .on(SameName.self, by: { $0.value.large })]
  }
}

private enum TextLevel {
  struct Spot: QueryableValue {
    var level = ""
    static var jsonNames: [PartialKeyPath<Spot>: String] { [\.level: "level"] }
  }

  final class Place: ManagedObject {
    @Attribute(.folded) var name = ""
    @Attribute var spot = Spot()

    override class var indexes: [AttributeIndex] { [.on(Place.self, by: { $0.spot.level })] }
  }
}

private enum NumberLevel {
  struct Spot: QueryableValue {
    var level = 0
    static var jsonNames: [PartialKeyPath<Spot>: String] { [\.level: "level"] }
  }

  final class Place: ManagedObject {
    @Attribute(.folded) var name = ""
    @Attribute var spot = Spot()

    override class var indexes: [AttributeIndex] { [.on(Place.self, by: { $0.spot.level })] }
  }

  final class Peak: ManagedObject {
    @Attribute var spot = Spot()
  }
}

/// The columns that the store has for indexed fields of JSON and for folded texts.
@Suite struct FieldIndexTests {
  let store: TemporaryStore

  init() throws { store = try TemporaryStore() }

  @Test func `a slash in the name of a column leads to no other column`() async throws {
    let container = try await store.open(Ambiguous.self)
    let cities = try await container.newContext().persist { objects in
      let object = objects.insert(Ambiguous.self)
      (object.a.inner.city, object.other.city) = ("Bonn", "Ulm")
      return try objects.values(in: FetchDescriptor(Ambiguous.self)) { ($0.a.inner.city, $0.other.city) }
        .map { [$0.0, $0.1] }
    }
    #expect(cities == [["Bonn", "Ulm"]])
    #expect(try await container.integrityCheck().isIntact)
  }

  @Test func `indexes on fields whose names differ only in case are refused with both names`() async throws {
    let error = await #expect(throws: PersistenceError.self) { _ = try await store.open(SameName.self) }
    guard case .invalidSchema(let problems) = error else { throw error ?? PersistenceError.closed }
    #expect(problems.map(\.property) == ["value"])
    #expect(
      problems[0].text.contains("City and city cannot both be indexed") || problems[0].text.contains("city and City"))
  }

  @Test func `a migration step can change the type of an indexed field`() async throws {
    try await store.open(TextLevel.Place.self).newContext().persist { $0.insert(TextLevel.Place.self).spot.level = "7" }
    let step = MigrationStep.custom("levels are numbers", in: 2) { store in
      try store.forEachRow(of: "Place") { row in
        try store.update("Place", id: row.id, ["spot": .text(#"{"level":7}"#)])
      }
    }
    let container = try await PersistentContainer(
      at: .file(store.file), schema: Schema(NumberLevel.Place.self).version(2, [step]))
    let count = try await container.newContext().perform {
      try $0.count(NumberLevel.Place.self, where: { $0.spot.level > 6 })
    }
    #expect(count == 1)
    #expect(try await container.integrityCheck().isIntact)
  }

  @Test func `a migration step sees the properties of a row, and no columns that are calculated from them`()
    async throws
  {
    try await store.open(TextLevel.Place.self).newContext().persist { $0.insert(TextLevel.Place.self).name = "Ä" }
    let step = MigrationStep.custom("copy", in: 2) { store in
      var rows: [MigrationRow] = []
      try store.forEachRow(of: "Place") { rows.append($0) }
      #expect(rows.map { $0.values.keys.sorted() } == [["name", "spot"]])
      #expect(store.attributes(of: "Place").sorted() == ["name", "spot"])
      for row in rows { try store.insert(into: "Place", row.values) }
    }
    let container = try await PersistentContainer(
      at: .file(store.file), schema: Schema(TextLevel.Place.self).version(2, [step]))
    let count = try await container.newContext().perform {
      try $0.count(TextLevel.Place.self, where: { $0.name.folded == "a" })
    }
    #expect(count == 2)
  }

  @Test func `an integer that another program wrote with a fraction is the same in memory and in selected terms`()
    async throws
  {
    let container = try await store.open(NumberLevel.Peak.self)
    try await container.newContext().persist { $0.insert(NumberLevel.Peak.self).spot.level = 1 }
    for (text, level) in [("5.0", 5), ("5e0", 5), ("-1.5e1", -15), ("9007199254740991.0", 9_007_199_254_740_991)] {
      try PlainSQLite(store.file).run("UPDATE Peak SET spot = '{\"level\":\(text)}', _version = _version + 1")
      let levels = try await container.newContext().perform { objects in
        let found = try objects.fetch(NumberLevel.Peak.self, where: { $0.spot.level == level }).map(\.spot.level)
        return found + (try objects.values(in: FetchDescriptor(NumberLevel.Peak.self)) { $0.spot.level })
      }
      #expect(levels == [level, level], "\(text)")
    }
  }

  @Test func `a selected term with a value of another type is named once in the error`() async throws {
    let container = try await store.open(NumberLevel.Peak.self)
    try await container.newContext().persist { $0.insert(NumberLevel.Peak.self).spot.level = 1 }
    try PlainSQLite(store.file).run("UPDATE Peak SET spot = '{\"level\":5.5}', _version = _version + 1")
    let error = await #expect(throws: PersistenceError.self) {
      _ = try await container.newContext().perform { (objects) throws -> [Int] in
        try objects.values(in: FetchDescriptor(NumberLevel.Peak.self)) { $0.spot.level }
      }
    }
    #expect(error?.description.contains("Peak.spot.level") == true, "\(error?.description ?? "")")
    #expect(error?.description.contains("Peak.Peak") == false)
  }
}
