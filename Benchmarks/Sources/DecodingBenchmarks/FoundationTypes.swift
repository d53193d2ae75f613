import BenchmarkSupport
import Decoding
import Foundation

extension Benchmark {
  /// Arrays of the types of Foundation that have a form of their own in JSON.
  static var foundationTypes: [Benchmark] {
    [
      encoding("20 000 ISO dates", dates, must: 4, goal: 8),
      encoding("20 000 URLs", urls, must: 3, goal: 5),
      encoding("20 000 Decimals", decimals, must: 2, goal: 4),
    ]
  }

  private static func encoding<Value: Encodable>(
    _ work: String, _ values: @autoclosure @escaping () -> [Value], must: Double, goal: Double
  ) -> Benchmark {
    let (ours, theirs) = (JSONBytesEncoder(), JSONEncoder())
    ours.dateEncodingStrategy = .iso8601
    theirs.dateEncodingStrategy = .iso8601
    lazy var values = values()
    return Benchmark(
      "encode: \(work)", unit: "µs",
      ours: {
        try expectEqual(ours.encode(values), theirs.encode(values), work)
        return try microseconds(repeats: 3) { try ours.encode(values) }
      },
      peers: [
        Peer("JSONEncoder", must: must, goal: goal) { try microseconds(repeats: 1) { try theirs.encode(values) } }
      ])
  }

  private static let count = 20_000

  private static var dates: [Date] {
    var random = ShapeGenerator(seed: Shapes.seed + 12)
    return (0..<count).map { _ in Date(timeIntervalSince1970: Double(random.number(0..<2_000_000_000))) }
  }

  private static var urls: [URL] {
    var random = ShapeGenerator(seed: Shapes.seed + 13)
    return (0..<count).compactMap { id in
      URL(string: "https://\(random.word()).example/\(random.word())/\(id)?size=\(random.number(100..<2000))")
    }
  }

  /// Prices, and every tenth with more digits than a `Double` has.
  private static var decimals: [Decimal] {
    var random = ShapeGenerator(seed: Shapes.seed + 14)
    return (0..<count).map { id in
      let cents = Decimal(random.number(-1_000_000..<100_000_000))
      return id % 10 == 0 ? cents * Decimal(random.number(1..<1_000_000_000)) / 1_000_000 : cents / 100
    }
  }
}
