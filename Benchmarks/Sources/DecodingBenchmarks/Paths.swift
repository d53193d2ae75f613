import BenchmarkSupport
import Decoding
import Foundation

extension Benchmark {
  static var lateValue: Benchmark { lateValue(.full, "validating", must: 3.5, goal: 4) }

  static var lateValueTrusted: Benchmark { lateValue(.trusted, "trusted", must: 8, goal: 9.5) }

  /// One value at the end of the document, by a path.
  private static func lateValue(_ validation: JSONValidation, _ name: String, must: Double, goal: Double) -> Benchmark {
    let work = "one value at the end of twitter.json, \(name)"
    let decoder = JSONDecoder()
    return Benchmark(
      work, unit: "µs",
      ours: {
        let document = JSONDocument(Documents.twitter, validation: validation)
        return try microseconds(repeats: 20) {
          try expectEqual(document.decode(Int.self, at: "search_metadata.count"), 100, work)
        }
      },
      peers: [
        Peer("JSONDecoder", must: must, goal: goal) {
          try microseconds(repeats: 5) {
            try expectEqual(
              decoder.decode(TimelineCount.self, from: Documents.twitter).search_metadata.count, 100, work)
          }
        }
      ])
  }

  /// A part near the beginning of the document.
  static var earlySubtree: Benchmark {
    let work = "an early sub-tree of twitter.json"
    let decoder = JSONDecoder()
    return Benchmark(
      work, unit: "µs",
      ours: {
        let document = JSONDocument(Documents.twitter)
        let expected = try decoder.decode(FirstAuthor.self, from: Documents.twitter).user
        return try microseconds(repeats: 500) {
          try expectEqual(document.decode(Timeline.User.self, at: "statuses[0].user"), expected, work)
        }
      },
      peers: [
        Peer("JSONDecoder", must: 50, goal: 100) {
          try microseconds(repeats: 5) { try decoder.decode(FirstAuthor.self, from: Documents.twitter) }
        }
      ])
  }
}
