import Foundation
import LarderTestSupport
import Testing

/// Many requests with random cancels and timeouts over mixed faults: each ends once, and nothing is left open.
///
/// It runs in its own process so that descriptors and memory can be counted. `LARDER_STORM` sets the number of requests
/// (default 2000; 50 000 for the long form), and `LARDER_SEED` chooses them.
@Suite(.timeLimit(.minutes(10))) struct StormTests {
  private static let count = ProcessInfo.processInfo.environment["LARDER_STORM"].flatMap { Int($0) } ?? 2000

  @Test(arguments: TransportUnderTest.allCases, [false, true])
  func `under random cancels and faults every fetch ends exactly once and leaves nothing open`(
    kind: TransportUnderTest, keeps: Bool
  ) async throws {
    var seeds = SplitMix.printed()
    let scratch = try Scratch()
    let storm = try await ChildProcess.run(
      ChildProcess.products.appending(path: "StormProbe"),
      [kind.rawValue, "\(keeps)", "\(Self.count)", "\(seeds.next())", scratch.url.path])
    print("\(Self.count) requests, \(kind)\(keeps ? " with a cache" : ""): \(storm.text)", terminator: "")
    #expect(storm.errors == "")
    #expect(storm.exit == .code(0))
  }
}
