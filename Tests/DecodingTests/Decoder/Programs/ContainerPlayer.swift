import LarderTestSupport

/// Plays the program of container calls that a seed stands for, on any decoder.
///
/// What is opened is kept and used again, by values further in and after the value that it was opened for. Decoders are
/// kept for their own value only, since Foundation's move on.
final class ContainerPlayer: @unchecked Sendable {  // one decode uses it, on one thread
  static let key = CodingUserInfoKey(rawValue: "player")
  private static let keptLimit = 6
  private static let depthLimit = 3

  /// The containers of all values.
  var keyed: [KeyedDecodingContainer<AnyValue.Key>] = []
  var unkeyed: [any UnkeyedDecodingContainer] = []
  /// The program of a value follows from this and its path, so that it is the same in whatever order values come.
  private var seed: UInt64
  private var depth = 0
  /// How many values are around whose parts come in no order: what is inside must leave no trace outside.
  private var unordered = 0

  init(seed: UInt64) { self.seed = seed }

  func play(_ decoder: any Decoder) throws -> [Outcome] {
    let path = codingPathText(decoder.codingPath)
    let outer = (keyed, unkeyed, seed)
    depth += 1
    if unordered > 0 { unkeyed = [] }
    defer {
      depth -= 1
      seed = outer.2
      if unordered > 0 { (keyed, unkeyed) = (outer.0, outer.1) }
    }
    let start = path.utf8.reduce(seed) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    var program = ContainerProgram(player: self, decoder: decoder, random: SplitMix(seed: start))
    program.record("path", .value(path))
    guard depth <= Self.depthLimit else { return program.outcomes }
    for _ in 0..<program.number(in: depth == 1 ? 3..<12 : 1..<5) { try program.step() }
    if depth > 1, program.number(in: 0..<12) == 0 { throw PlayedError() }
    return program.outcomes
  }

  /// Runs one call, whose parts are played by a seed of their own.
  func run<Answer>(seed: UInt64, isUnordered: Bool, _ body: () throws -> Answer) throws -> Answer {
    self.seed = seed
    if isUnordered { unordered += 1 }
    defer { if isUnordered { unordered -= 1 } }
    return try body()
  }

  var isInside: Bool { depth > 1 }

  func keep(_ container: KeyedDecodingContainer<AnyValue.Key>) {
    keyed.append(container)
    if keyed.count > Self.keptLimit { keyed.removeFirst() }
  }

  func keep(_ container: any UnkeyedDecodingContainer) {
    unkeyed.append(container)
    if unkeyed.count > Self.keptLimit { unkeyed.removeFirst() }
  }
}
