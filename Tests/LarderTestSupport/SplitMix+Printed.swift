internal import Foundation

extension SplitMix {
  /// A generator for one test, whose seed is printed with the test's name; `LARDER_SEED` reuses a seed.
  public static func printed(for test: String = #function) -> SplitMix {
    let seed =
      ProcessInfo.processInfo.environment["LARDER_SEED"].flatMap { UInt64($0) } ?? UInt64.random(in: 0...UInt64.max)
    print("LARDER_SEED=\(seed) in \(test)")
    return SplitMix(seed: seed)
  }
}
