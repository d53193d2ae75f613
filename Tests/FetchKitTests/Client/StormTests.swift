import Foundation
import TestSupport
import Testing

/// Many requests with random cancels and deadlines over mixed faults: every one ends once, and nothing is left over.
///
/// In a process of its own, so that descriptors and memory can be counted. `LARDER_STORM` says how many requests (2000
/// unless set; 50 000 for the long form), `LARDER_SEED` which ones.
@Suite(.timeLimit(.minutes(10))) struct StormTests {
  private static let count = ProcessInfo.processInfo.environment["LARDER_STORM"].flatMap { Int($0) } ?? 2000

  @Test(arguments: Contender.allCases, [false, true])
  func `every fetch ends exactly once and leaves nothing behind`(contender: Contender, keeps: Bool) async throws {
    var seeds = SplitMix.printed()
    let scratch = try Scratch()
    let storm = try await ChildProcess.run(
      ChildProcess.products.appending(path: "StormProbe"),
      [contender.rawValue, "\(keeps)", "\(Self.count)", "\(seeds.next())", scratch.url.path])
    print("\(Self.count) requests, \(contender)\(keeps ? " with a cache" : ""): \(storm.text)", terminator: "")
    #expect(storm.errors == "")
    #expect(storm.exit == .code(0))
  }
}
