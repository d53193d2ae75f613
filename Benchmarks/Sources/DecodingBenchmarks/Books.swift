import BenchmarkSupport
import Decoding
import Foundation

extension Benchmark {
  static var nestedOnFoundation: Benchmark {
    let decoder = JSONDecoder()
    return Benchmark(
      "books by decoder.nested(), on JSONDecoder", unit: "µs",
      ours: {
        try expectEqual(
          decoder.decode(NestedShelf.self, from: Documents.books).items.map(\.fields),
          decoder.decode(HandWrittenShelf.self, from: Documents.books).items.map(\.fields), "books")
        return try microseconds(repeats: 50) { try decoder.decode(NestedShelf.self, from: Documents.books) }
      },
      peers: [handWritten(must: 1 / 1.3, goal: 1 / 1.15)])
  }

  static var nestedOnOurs: Benchmark {
    let decoder = JSONBytesDecoder()
    return Benchmark(
      "books by decoder.nested(), on JSONBytesDecoder", unit: "µs",
      ours: {
        try expectEqual(
          decoder.decode(NestedShelf.self, from: Documents.books).items.map(\.fields),
          JSONDecoder().decode(HandWrittenShelf.self, from: Documents.books).items.map(\.fields), "books")
        return try microseconds(repeats: 100) { try decoder.decode(NestedShelf.self, from: Documents.books) }
      },
      peers: [handWritten(must: 3.5, goal: 5)])
  }

  private static func handWritten(must: Double, goal: Double) -> Peer {
    let decoder = JSONDecoder()
    return Peer("containers by hand, on JSONDecoder", must: must, goal: goal) {
      try microseconds(repeats: 50) { try decoder.decode(HandWrittenShelf.self, from: Documents.books) }
    }
  }
}
