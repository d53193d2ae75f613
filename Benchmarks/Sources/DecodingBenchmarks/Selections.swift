import BenchmarkSupport
import Decoding
import Foundation

/// Paths that may select several values, beside passing over the same document without looking.
extension Benchmark {
  static var filter: Benchmark {
    selecting(
      "a filter over 10 MB", "items[?@.price < 100 && @.kind == 'book'].id", must: 0.03, goal: 0.1
    ) { $0.price < 100 && $0.kind == "book" ? [$0.id] : [] }
  }

  static var expression: Benchmark {
    selecting(
      "a regular expression in a filter over 10 MB", "items[?search(@.title, '77[0-9]+7 of')].id", must: 0.03, goal: 0.1
    ) { $0.title.contains(/77[0-9]+7 of/) ? [$0.id] : [] }
  }

  static var descendants: Benchmark {
    selecting("descendants over 10 MB", "$..shelf[?@ == 49]") { $0.stock.shelf.sides.filter { $0 == 49 } }
  }

  private struct Item: Decodable {
    struct Stock: Decodable {
      var shelf: Shelf
    }

    struct Shelf: Decodable {
      var row: Int
      var column: Int
      var sides: [Int] { [row, column] }
    }

    var id: Int
    var kind: String
    var title: String
    var price: Double
    var stock: Stock
  }

  private static func selecting(
    _ work: String, _ path: JSONPath, must: Double? = nil, goal: Double? = nil,
    _ selected: @escaping (Item) -> [Int]
  ) -> Benchmark {
    Benchmark(
      work, unit: "ms",
      ours: {
        let document = JSONDocument(Inventory.document)
        let expected = try document.decode([Item].self, at: "items").flatMap(selected)
        var values: [Int] = []
        let time = try milliseconds { values = try document.values(at: path) }
        try expectEqual(values, expected, work)
        return time
      },
      peers: [
        // The count is behind all items, which are passed over and checked.
        Peer("the skipper", must: must, goal: goal) {
          let document = JSONDocument(Inventory.document)
          return try milliseconds { _ = try document.decode(Int.self, at: "count") }
        }
      ])
  }
}
