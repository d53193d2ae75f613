import BenchmarkSupport
import Decoding
import Foundation

extension Benchmark {
  static var shapes: [Benchmark] {
    shape("10 000 records by name", Shapes.records, repeats: 1, must: 4, goal: 7)
      + shape("1 000 articles of 0.1 to 4 KB", Shapes.articles, repeats: 2, must: 4.5, goal: 8)
      + events
      + shape("any value by a ladder of try?", Shapes.anyValue, repeats: 1, must: 3.5, goal: 8)
      + shape("200 tracks of keyframes", Shapes.tracks, repeats: 2, must: 12, goal: 25)
      + lines
      + shape("2 000 objects outside of ASCII", Shapes.offices, repeats: 3, must: 5, goal: 8)
      + shape("500 comments with answers to answers", Shapes.comments, repeats: 1, must: 4, goal: 5.5)
      + shape("5 000 readings in the document's order", Shapes.readings, repeats: 1, must: 4, goal: 5.5)
      + shape("5 000 profiles of mostly absent members", Shapes.profiles, repeats: 1, must: 4, goal: 5.5)
      + shape("20 000 points in 1 000 polygons", Shapes.polygons, repeats: 1, must: 4, goal: 5.5)
      + shape("3 000 orders, five objects deep", Shapes.orders, repeats: 1, must: 4, goal: 5.5)
  }

  /// Decoding and encoding values of one shape.
  private static func shape<Value: Codable & Equatable>(
    _ work: String, _ value: @autoclosure @escaping () -> Value, repeats: Int, must: Double, goal: Double
  ) -> [Benchmark] {
    lazy var document = Shapes.document(value())
    return [
      .decoding("shape: \(work)", Value.self, document, repeats: repeats, must: must, goal: goal, isShape: true),
      encoding(work, value(), repeats: repeats),
    ]
  }

  private static func encoding<Value: Codable & Equatable>(
    _ work: String, _ value: @autoclosure @escaping () -> Value, repeats: Int
  ) -> Benchmark {
    let ours = JSONBytesEncoder()
    let theirs = JSONEncoder()
    lazy var value = value()
    var isChecked = false
    return Benchmark(
      "encode: \(work)", unit: "µs",
      ours: {
        if !isChecked {
          let read = try JSONDecoder().decode(Value.self, from: ours.encode(value))
          try expectEqual(read, JSONDecoder().decode(Value.self, from: theirs.encode(value)), work)
          isChecked = true
        }
        return try microseconds(repeats: repeats) { try ours.encode(value) }
      },
      peers: [
        Peer("JSONEncoder", must: 3.5, goal: 6) { try microseconds(repeats: repeats) { try theirs.encode(value) } }
      ])
  }

  /// What is decoded is less than what was sent.
  private static var events: [Benchmark] {
    let work = "5 000 events, half of the members unread"
    lazy var document = Shapes.document(Shapes.sentEvents)
    return [
      .decoding("shape: \(work)", [Event].self, document, repeats: 1, must: 4, goal: 7, isShape: true),
      encoding("5 000 events", Shapes.sentEvents.map(\.event), repeats: 1),
    ]
  }

  /// Each line is a document of its own.
  private static var lines: [Benchmark] {
    let work = "2 000 lines of a log, one by one"
    lazy var lines = Shapes.logLines.map { Shapes.document($0) }
    let ours = JSONBytesDecoder()
    let theirs = JSONDecoder()
    let (encoder, theirEncoder) = (JSONBytesEncoder(), JSONEncoder())
    return [
      Benchmark(
        "shape: \(work)", unit: "µs",
        ours: {
          try expectEqual(try lines.map { try ours.decode(LogLine.self, from: $0) }, Shapes.logLines, work)
          return try microseconds(repeats: 1) { for line in lines { _ = try ours.decode(LogLine.self, from: line) } }
        },
        peers: [
          Peer("JSONDecoder", must: 4.5, goal: 7) {
            try microseconds(repeats: 1) { for line in lines { _ = try theirs.decode(LogLine.self, from: line) } }
          },
          .replay(LogLine.self, lines, repeats: 1),
        ] + Peer.tree(lines, repeats: 1)),
      Benchmark(
        "encode: \(work)", unit: "µs",
        ours: { try microseconds(repeats: 1) { for line in Shapes.logLines { _ = try encoder.encode(line) } } },
        peers: [
          Peer("JSONEncoder", must: 3.5, goal: 6) {
            try microseconds(repeats: 1) { for line in Shapes.logLines { _ = try theirEncoder.encode(line) } }
          }
        ]),
    ]
  }
}

extension Benchmark.Peer {
  /// The least that any decoder can take; see ``Tape``.
  static func replay<Value: Decodable & Equatable>(
    _ type: Value.Type, _ documents: @autoclosure @escaping () -> [Data], repeats: Int
  ) -> Benchmark.Peer {
    var replays: [Replay] = []
    return Benchmark.Peer("replay, the floor") {
      if replays.isEmpty {
        for document in documents() {
          let replay = Replay(try Tape(type, from: document))
          try expectEqual(try replay.run(type), try JSONBytesDecoder().decode(type, from: document), "replay")
          replays.append(replay)
        }
      }
      return try microseconds(repeats: repeats) { for replay in replays { _ = try replay.run(type) } }
    }
  }
}
