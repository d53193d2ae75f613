import Foundation
import LarderTestSupport
import Testing

@testable import Persistence

@Suite struct StoredSchemaTests {
  private func name(using generator: inout SplitMix) -> String {
    let pieces = [
      "a", "é", "e\u{301}", "🎬", "\"", "\\", "/", "\n", "\r", "\t", "\u{8}", "\u{C}", "\u{0}", "\u{1F}", "\u{7F}", " ",
    ]
    return (0..<Int.random(in: 0..<6, using: &generator)).map { _ in pieces.randomElement(using: &generator) ?? "" }
      .joined()
  }

  private func side(using generator: inout SplitMix) -> StoredSide? {
    guard Bool.random(using: &generator) else { return nil }
    return StoredSide(table: name(using: &generator), property: name(using: &generator))
  }

  private func schema(using generator: inout SplitMix) -> StoredSchema {
    let tables = (0..<Int.random(in: 0..<4, using: &generator)).map { _ in
      let sides = side(using: &generator).map { [$0, $0] }
      let columns = (0..<Int.random(in: 0..<4, using: &generator)).map { _ in
        StoredColumn(
          name: name(using: &generator), type: "TEXT", isOptional: .random(using: &generator),
          references: side(using: &generator)?.table, orders: side(using: &generator),
          sorts: side(using: &generator)?.table, folds: side(using: &generator)?.property,
          extracts: side(using: &generator).map {
            StoredExtract(column: $0.table, form: 2, names: [$0.property, $0.table])
          })
      }
      let indexes = columns.map {
        StoredIndex(
          name: name(using: &generator), columns: [$0.name, "b"], isUnique: .random(using: &generator),
          where: side(using: &generator)?.property)
      }
      return StoredTable(name: name(using: &generator), sides: sides, columns: columns, indexes: indexes)
    }
    return StoredSchema(version: .random(in: 1...1000, using: &generator), tables: tables)
  }

  @Test func `a schema's text reads back as the schema, and equals Foundation's sorted JSON`() throws {
    let seed = UInt64.random(in: 0...(.max))
    print("stored schemas: seed \(seed)")
    var generator = SplitMix(seed: seed)
    for _ in 0..<500 {
      let schema = schema(using: &generator)
      #expect(StoredSchema(text: schema.text) == schema)
      // Existing stores have such texts, which opening a store compares.
      let object = try JSONSerialization.jsonObject(with: Data(schema.text.utf8))
      let expected = try JSONSerialization.data(
        withJSONObject: object, options: [.sortedKeys, .withoutEscapingSlashes])
      #expect(Array(schema.text.utf8) == Array(expected))
    }
  }
}
