import BenchmarkSupport
import Decoding
import Foundation

extension Benchmark {
  /// How often the decodes of `WholeDocuments` ask for memory.
  static var allocations: [Benchmark] {
    [
      allocations("twitter.json", Timeline.self, Documents.twitter),
      allocations("citm_catalog.json", Catalog.self, Documents.catalog),
      allocations("canada.json", Map.self, Documents.map),
      allocations("250 photos", PhotoPage.self, Documents.photos),
      allocations("an object of 250 bytes", Person.self, Documents.person),
    ]
  }

  private static func allocations<Value: Decodable>(
    _ name: String, _ type: Value.Type, _ document: @autoclosure @escaping () -> Data
  ) -> Benchmark {
    let ours = JSONBytesDecoder()
    let theirs = JSONDecoder()
    return Benchmark(
      "allocations, \(name)", unit: "calls",
      ours: {
        let document = document()
        _ = try ours.decode(type, from: document)
        return try DecodingBenchmarks.allocations { try ours.decode(type, from: document) }
      },
      peers: [
        Peer("JSONDecoder", must: 5, goal: 10) {
          let document = document()
          _ = try theirs.decode(type, from: document)
          return try DecodingBenchmarks.allocations { try theirs.decode(type, from: document) }
        }
      ])
  }
}
