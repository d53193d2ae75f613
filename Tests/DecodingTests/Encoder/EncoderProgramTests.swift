import Decoding
import Foundation
import LarderTestSupport
import Testing

/// Types that use their encoder in any order that `Encodable` allows, through Foundation's encoder and ours.
@Suite struct EncoderProgramTests {
  @Test func `encoding containers may be written to in any order`() throws {
    let environment = ProcessInfo.processInfo.environment
    let count = environment["LARDER_PROGRAMS"].flatMap { Int($0) } ?? 4000
    let first = environment["LARDER_SEED"].flatMap { UInt64($0) } ?? .random(in: 0...1 << 40)
    print("encoder programs: seed \(first)")
    for seed in first..<first + UInt64(count) {
      let program = EncoderProgram(seed: seed)
      let theirs = JSONEncoder()
      theirs.outputFormatting = seed % 2 == 0 ? .sortedKeys : [.sortedKeys, .prettyPrinted]
      let expected = String(decoding: try theirs.encode([program]), as: UTF8.self)
      let ours = JSONBytesEncoder(like: theirs)
      let found = String(decoding: try ours.encode([program]), as: UTF8.self)
      try #require(found == expected, "seed \(seed)")
      // Foundation's encoder mixes what has failed with what comes after it, or stops the program.
      let failing = EncoderProgram(seed: seed, triesWhatFails: true)
      let foundFailing = String(decoding: try ours.encode([failing]), as: UTF8.self)
      try #require(foundFailing == expected, "seed \(seed), failing")
    }
  }
}

/// Encodes what its seed says: scalars, nested containers and super encoders that are all kept and used again, values
/// that fail half-way, and programs inside of it.
struct EncoderProgram: Encodable {
  let seed: UInt64
  var depth = 0
  /// Leaves no trace in the document.
  var triesWhatFails = false

  private struct Failure: Error {}

  struct Key: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  private enum Container {
    case keyed(KeyedEncodingContainer<Key>)
    case unkeyed(any UnkeyedEncodingContainer)
  }

  func encode(to encoder: any Encoder) throws {
    var random = SplitMix(seed: seed)
    switch Int.random(in: 0..<8, using: &random) {
    case 0:
      var container = encoder.singleValueContainer()
      if triesWhatFails { try? container.encode(Failing()) }
      try container.encode(Int.random(in: 0..<1000, using: &random))
    case 1:
      var container = encoder.singleValueContainer()
      try container.encode(inner(&random))
    default: try play(encoder, &random)
    }
  }

  private func inner(_ random: inout SplitMix) -> EncoderProgram {
    EncoderProgram(seed: random.next(), depth: depth + 1, triesWhatFails: triesWhatFails)
  }

  /// Writes to an array, and then fails.
  private struct Failing: Encodable {
    func encode(to encoder: any Encoder) throws {
      var container = encoder.unkeyedContainer()
      try container.encode(1)
      var nested = container.nestedContainer(keyedBy: Key.self)
      try nested.encode(2, forKey: Key(stringValue: "lost"))
      try 3.encode(to: nested.superEncoder())
      throw Failure()
    }
  }

  private func play(_ encoder: any Encoder, _ random: inout SplitMix) throws {
    var encoders: [any Encoder] = []
    var containers = [
      Bool.random(using: &random)
        ? Container.keyed(encoder.container(keyedBy: Key.self)) : .unkeyed(encoder.unkeyedContainer())
    ]
    // What a name is has to stay so: Foundation's encoder stops the program otherwise.
    var next = 0
    var repeated: [Int: [Key]] = [:]
    for _ in 0..<Int.random(in: 0..<14, using: &random) {
      let index = Int.random(in: 0..<containers.count, using: &random)
      switch containers[index] {
      case .keyed(var container):
        next += 1
        let key = Key(stringValue: "k\(next)\(next % 3 == 0 ? "\"é" : "")")
        switch Int.random(in: 0..<10, using: &random) {
        case 0, 1:
          try container.encode(next, forKey: key)
          repeated[index, default: []].append(key)
        case 2: if let key = repeated[index]?.first { try container.encode("again", forKey: key) }
        case 3: try container.encodeNil(forKey: key)
        case 4: containers.append(.keyed(container.nestedContainer(keyedBy: Key.self, forKey: key)))
        case 5: containers.append(.unkeyed(container.nestedUnkeyedContainer(forKey: key)))
        case 6:
          containers.append(.keyed(container.nestedContainer(keyedBy: Key.self, forKey: key)))
          if Bool.random(using: &random) { try container.encode(0.5, forKey: Key(stringValue: "between \(next)")) }
          containers.append(.keyed(container.nestedContainer(keyedBy: Key.self, forKey: key)))
        case 7: encoders.append(container.superEncoder(forKey: key))
        case 8: if depth < 4 { try container.encode(inner(&random), forKey: key) }
        default:
          if triesWhatFails { try? container.encode(Failing(), forKey: key) }
          if Bool.random(using: &random) { try container.encode([next: [key.stringValue]], forKey: key) }
        }
        containers[index] = .keyed(container)
      case .unkeyed(var container):
        let count = container.count
        switch Int.random(in: 0..<8, using: &random) {
        case 0, 1: try container.encode("element")
        case 2: try container.encodeNil()
        case 3: containers.append(.keyed(container.nestedContainer(keyedBy: Key.self)))
        case 4: containers.append(.unkeyed(container.nestedUnkeyedContainer()))
        case 5:
          // At once: Foundation puts the elements of several at places that depend on when they are released.
          let encoder = container.superEncoder()
          if depth < 4 { try inner(&random).encode(to: encoder) }
        case 6: if depth < 4 { try container.encode(inner(&random)) } else { try container.encode(1) }
        default:
          if triesWhatFails { try? container.encode(Failing()) }
          #expect(container.count == count)
          try container.encode(false)
        }
        #expect(container.count >= count)
        containers[index] = .unkeyed(container)
      }
      if !encoders.isEmpty, Bool.random(using: &random) {
        let encoder = encoders.remove(at: Int.random(in: 0..<encoders.count, using: &random))
        if depth < 4 { try inner(&random).encode(to: encoder) } else { try 7.encode(to: encoder) }
      }
    }
  }
}
