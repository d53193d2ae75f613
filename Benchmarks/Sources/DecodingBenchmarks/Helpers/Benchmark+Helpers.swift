import BenchmarkSupport
import Decoding
import Foundation

/// What the helpers cost beside the same work by hand, with the same coder, and beside Foundation's coder.
extension Benchmark {
  static var helpers: [Benchmark] {
    let twoCases = try? JSONBytesEncoder().encode(TwoCases.Discriminated.many)
    let parts = (0..<10_000).map { index in #"{"type":"c\#(index % 40)","value":\#(index)}"# }
    let fortyCases = Data("[\(parts.joined(separator: ","))]".utf8)
    return pair(
      "a union of 2 types", TwoCases.Discriminated.self, TwoCases.ByHand.self, TwoCases.ByHand.self,
      twoCases ?? Data(), musts: (1.6, 2), goals: (1.2, 1.4))
      + pair(
        "a union of 40 types", FortyCases.Discriminated.self, FortyCases.ByHand.self, FortyCases.ByHand.self,
        fortyCases, musts: (1.6, 2), goals: (1.2, 1.4))
      + pair(
        "3 path keys", ThreePaths.ByPath.self, ThreePaths.ByHand.self, ThreePaths.Nested.self,
        Shapes.document(ThreePaths.Nested.many), musts: (1.8, 2), goals: (1.3, 1.4))
      + pair(
        "20 path keys", TwentyPaths.ByPath.self, TwentyPaths.ByHand.self, TwentyPaths.Nested.self,
        Shapes.document(TwentyPaths.Nested.many), musts: (1.8, 2), goals: (1.3, 1.4))
  }

  /// - Parameters:
  ///   - musts: The greatest acceptable times of decoding and of encoding, by hand = 1.
  ///   - goals: The same, as aimed at.
  private static func pair<Ours: Codable, Hand: Codable, Nested: Codable>(
    _ work: String, _: Ours.Type, _: Hand.Type, _: Nested.Type, _ document: Data, musts: (Double, Double),
    goals: (Double, Double)
  ) -> [Benchmark] {
    let (decoder, encoder) = (JSONBytesDecoder(), JSONBytesEncoder())
    let (foundation, foundationEncoder) = (JSONDecoder(), JSONEncoder())
    return [
      Benchmark(
        "decode: \(work)", unit: "µs",
        ours: { try microseconds(repeats: 1) { try decoder.decode([Ours].self, from: document) } },
        peers: [
          Peer("by hand", must: 1 / musts.0, goal: 1 / goals.0) {
            try microseconds(repeats: 1) { try decoder.decode([Hand].self, from: document) }
          },
          Peer("JSONDecoder", must: 2, goal: 3.5) {
            try microseconds(repeats: 1) { try foundation.decode([Nested].self, from: document) }
          },
        ]),
      Benchmark(
        "encode: \(work)", unit: "µs",
        ours: {
          let values = try decoder.decode([Ours].self, from: document)
          try expectEqual(
            decoder.decode(JSONValue.self, from: encoder.encode(values)),
            decoder.decode(JSONValue.self, from: document),
            work)
          return try microseconds(repeats: 1) { try encoder.encode(values) }
        },
        peers: [
          Peer("by hand", must: 1 / musts.1, goal: 1 / goals.1) {
            let values = try decoder.decode([Hand].self, from: document)
            return try microseconds(repeats: 1) { try encoder.encode(values) }
          },
          Peer("JSONEncoder", must: 2, goal: 3.5) {
            let values = try foundation.decode([Nested].self, from: document)
            return try microseconds(repeats: 1) { try foundationEncoder.encode(values) }
          },
        ]),
    ]
  }
}
