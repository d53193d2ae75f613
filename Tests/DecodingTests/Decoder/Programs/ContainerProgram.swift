import Decoding
import LarderTestSupport

/// The calls that are made for one value, chosen at random.
struct ContainerProgram {
  let player: ContainerPlayer
  var random: SplitMix
  var decoders: [any Decoder]
  var singles: [any SingleValueDecodingContainer] = []
  var nested: [NestedDecoder] = []
  private(set) var outcomes: [Outcome] = []

  init(player: ContainerPlayer, decoder: any Decoder, random: SplitMix) {
    self.player = player
    self.random = random
    decoders = [decoder]
  }

  mutating func number(in range: Range<Int>) -> Int { Int.random(in: range, using: &random) }

  mutating func record(_ name: String, _ outcome: Outcome) { outcomes.append(.call(name, outcome)) }

  /// Makes a call and records what it answers; some of the errors are thrown on, as most types do.
  mutating func call(_ name: String, isUnordered: Bool = false, _ body: () throws -> Outcome) throws {
    let seed = random.next()
    let throwsOn = number(in: 0..<6) == 0 && player.isInside
    do {
      record(name, try player.run(seed: seed, isUnordered: isUnordered, body))
    } catch {
      // Of several parts in no order any may be the first that fails.
      record(name, isUnordered ? .failure("some part", path: nil) : Outcome(failure: error))
      if throwsOn { throw isUnordered ? PlayedError() : error }
    }
  }

  mutating func step() throws {
    let groups = [
      decoders.count, singles.count * 2, player.keyed.count * 3, player.unkeyed.count * 3, nested.count * 3,
    ]
    var choice = number(in: 0..<groups.reduce(0, +))
    for (group, count) in groups.enumerated() {
      guard choice >= count else {
        switch group {
        case 0: return try askDecoder(choice)
        case 1: return try askSingle(choice / 2)
        case 2: return try askKeyed(choice / 3)
        case 3: return try askUnkeyed(choice / 3)
        default: return try askNested(choice / 3)
        }
      }
      choice -= count
    }
  }
}
