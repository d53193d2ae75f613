import Foundation
import LarderTestSupport
import Testing

@testable import Persistence

/// Names and literals in SQL text, made of all kinds of quotes and of scalars that form one `Character` with them.
@Suite struct QuotingTests {
  let store: TemporaryStore

  init() throws { store = try TemporaryStore() }

  private static let pieces = [
    "'", "\"", "`", "'\u{301}", "\"\u{20E3}", "`\u{FE0F}", "\u{301}", "\u{200D}", "a", "E", " ", ".", ";", "--", "/*",
    "?1", "é",
    "\r", "\n", "🎬",
  ]

  private func text(using generator: inout SplitMix) -> String {
    (0..<Int.random(in: 1..<6, using: &generator)).map { _ in
      QuotingTests.pieces.randomElement(using: &generator) ?? ""
    }.joined()
  }

  @Test func `a literal is the text, and a column has the name, whatever they contain`() async throws {
    let seed = UInt64.random(in: 0...(.max))
    print("quoting: seed \(seed)")
    var generator = SplitMix(seed: seed)
    let connection = try Connection(StorePlace(.file(store.file)), StoreConfiguration(), isNew: true)
    for _ in 0..<500 {
      let (text, column) = (text(using: &generator), text(using: &generator))
      let literal = try #require(StoredValue.text(text).literal)
      let statement = try connection.prepare("SELECT \(literal) AS \(SQL.name(column)), 7")
      #expect(try statement.step())
      #expect(Array(statement.text(0).utf8) == Array(text.utf8))
      #expect(statement.value(1) == .integer(7))
      statement.reset()
      let other = try connection.prepare("SELECT \(SQL.identifier(column)) FROM (SELECT 3 AS \(SQL.name(column)))")
      #expect(try other.integer() == 3)
    }
  }

  @Test func `names are found in SQL, and renamed, whatever they and the literals beside them contain`() throws {
    let seed = UInt64.random(in: 0...(.max))
    print("names in SQL: seed \(seed)")
    var generator = SplitMix(seed: seed)
    for _ in 0..<500 {
      let (first, second, literal) = (
        text(using: &generator), text(using: &generator), text(using: &generator)
      )
      let sql = "\(SQL.name(first)) = \(SQL.string(literal)) AND \(SQL.name(second)) > 3"
      func bytes(_ texts: [String]) -> [[UInt8]] { texts.map { Array($0.utf8) } }
      #expect(bytes(SQL.names(in: sql)) == bytes([first, second]))
      let third = text(using: &generator)
      let renamed = bytes([first]) == bytes([second]) ? [third, third] : [third, second]
      #expect(bytes(SQL.names(in: SQL.renaming(first, to: third, in: sql))) == bytes(renamed))
    }
  }
}
