import Foundation
import Testing

@testable import Persistence

private final class Kinds: ManagedObject {
  @Attribute(.column("_KIND")) var kind = 0
  @Attribute(.column("_since")) var since = 0
}

// swift-format-ignore: AlwaysUseUpperCamelCase
private final class base_Note: ManagedObject {
  @Attribute(.searchable) var text = ""
}

// swift-format-ignore: AlwaysUseUpperCamelCase
private final class Note_search: ManagedObject {
  @Attribute var text = ""
}

private final class Priced: ManagedObject {
  @Attribute var price: Decimal = 0
  @Attribute(.column("titel")) var title = ""
  @ToOne var parent: Priced?
  @ToMany(inverse: \Priced.parent) var children: RelatedObjects<Priced>
}

@Suite struct TrackedSchemaTests {
  private func problems(_ schema: Schema) async -> [String] {
    do {
      let file = try TemporaryStore()
      _ = try Store(.file(file.file), schema, StoreConfiguration())
      return []
    } catch PersistenceError.invalidSchema(let problems) {
      return problems.map(\.description)
    } catch {
      return ["\(error)"]
    }
  }

  @Test func `a class that is tracked twice or is not in the schema is refused`() async {
    let schema = Schema(Kinds.self, Priced.self).tracking([
      TrackedClass(Title.self), TrackedClass(Priced.self), TrackedClass(Priced.self),
    ])
    #expect(
      await problems(schema) == ["Title: is tracked, but not in the schema", "Priced: is tracked twice"])
  }

  @Test func `a key path to anything but an attribute or to-one relationship is refused`() async {
    let schema = TitleRow.schema.tracking([
      TrackedClass(Title.self, ignoring: [\Title.tags, \Title.name], independent: [\Title.seen, \House.name])
    ])
    let problems = await problems(schema)
    #expect(problems.count == 3)
    #expect(problems.allSatisfy { $0.hasSuffix("is neither an attribute nor a to-one relationship") })
  }

  @Test func `a column with the name of one of the base table is refused`() async {
    let schema = Schema(Kinds.self).tracking([TrackedClass(Kinds.self)])
    #expect(await problems(schema).count == 2)
    #expect(await problems(Schema(Kinds.self).tracking([TrackedClass(Kinds.self, ignoring: [\Kinds.kind])])).count == 1)
  }

  @Test func `a base table with the name of a full-text index is refused`() async {
    let schema = Schema(base_Note.self, Note_search.self).tracking([TrackedClass(Note_search.self)])
    #expect(await problems(schema).count == 1)
  }

  @Test func `a description has the names and kinds of a class's attributes`() throws {
    let schema = Schema(Priced.self).tracking([
      TrackedClass(Priced.self, ignoring: [\Priced.title], independent: [\Priced.price])
    ])
    let description = try #require(schema.trackedClasses.first)
    #expect(description.name == "Priced" && description.table == "\"Priced\"")
    #expect(description.baseTable == "\"_larder_base_Priced\"")
    let attributes = description.attributes
    #expect(attributes.map(\.property) == ["price", "title", "parent"] && attributes.map(\.slot) == [0, 1, 2])
    #expect(attributes.map(\.column) == ["_sort_price", "titel", "parent"])
    #expect(attributes.map(\.storageClass) == [.text, .text, .integer])
    #expect(attributes.map(\.target) == [nil, nil, "Priced"] && attributes.map(\.isReference) == [false, false, true])
    #expect(attributes.map(\.isIgnored) == [false, true, false])
    #expect(attributes.map(\.isIndependent) == [true, false, false])
  }
}
