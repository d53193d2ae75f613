import BenchmarkSupport
import Decoding
import Foundation

extension Benchmark {
  /// Decoding the same bytes as the same type, by our decoder and by Foundation's.
  /// - Parameter isShape: Whether the row also shows how fast a decoder could be at most.
  static func decoding<Value: Decodable & Equatable>(
    _ work: String, _ type: Value.Type, _ document: @autoclosure @escaping () -> Data, repeats: Int,
    must: Double? = nil, goal: Double? = nil, isShape: Bool = false
  ) -> Benchmark {
    let ours = JSONBytesDecoder()
    let theirs = JSONDecoder()
    var isChecked = false
    var peers = [
      Peer("JSONDecoder", must: must, goal: goal) {
        let document = document()
        return try microseconds(repeats: repeats) { try theirs.decode(type, from: document) }
      }
    ]
    if isShape {
      peers.append(.replay(type, [document()], repeats: repeats))
      peers += Peer.tree([document()], repeats: repeats)
    }
    return Benchmark(
      work, unit: "µs",
      ours: {
        let document = document()
        if !isChecked {
          try expectEqual(
            ours.decode(type, from: document), theirs.decode(type, from: document), work)
          isChecked = true
        }
        return try microseconds(repeats: repeats) { try ours.decode(type, from: document) }
      },
      peers: peers)
  }

  static var twitter: Benchmark {
    .decoding("whole twitter.json, typed", Timeline.self, Documents.twitter, repeats: 10, must: 4.5, goal: 5.5)
  }

  static var catalog: Benchmark {
    .decoding("whole citm_catalog.json, typed", Catalog.self, Documents.catalog, repeats: 3, must: 6, goal: 7.5)
  }

  static var map: Benchmark {
    .decoding("whole canada.json, typed", Map.self, Documents.map, repeats: 2, must: 10, goal: 12)
  }

  static var photos: Benchmark {
    .decoding("250 photos", PhotoPage.self, Documents.photos, repeats: 20, must: 5, goal: 7)
  }

  /// The same with the members in another order than the type asks for them, which no target is set for.
  static var reorderedPhotos: Benchmark {
    .decoding("250 photos, members in another order", PhotoPage.self, Documents.reorderedPhotos, repeats: 20)
  }

  static var person: Benchmark {
    .decoding("an object of 250 bytes", Person.self, Documents.person, repeats: 4000, must: 5, goal: 6)
  }
}
