import Foundation

/// Random numbers that a printed seed brings back: SplitMix64.
///
/// `LARDER_SEED` in the environment sets the seed; without it every run has another.
struct SeededRandom: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  /// A generator for one test, its seed printed beside the test's name.
  static func printed(for test: String = #function) -> SeededRandom {
    let seed =
      ProcessInfo.processInfo.environment["LARDER_SEED"].flatMap { UInt64($0) } ?? UInt64.random(in: 0...UInt64.max)
    print("LARDER_SEED=\(seed) in \(test)")
    return SeededRandom(seed: seed)
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var word = state
    word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
    return word ^ (word >> 31)
  }
}

/// Whether the environment asks for the long forms of tests that have one.
let isLongRun = ProcessInfo.processInfo.environment["LARDER_LONG"] == "1"
