import Foundation
import SyncKit
import Testing

/// Runs of the simulation. `LARDER_SIMULATION=count` runs more seeds, and `LARDER_SEED=n` begins with another one.
@Suite(.timeLimit(.minutes(60))) struct SimulationTests {
  private static let environment = ProcessInfo.processInfo.environment
  private static let count = environment["LARDER_SIMULATION"].flatMap { UInt64($0) } ?? 20
  private static let first = environment["LARDER_SEED"].flatMap { UInt64($0) } ?? 1
  private static let steps = 500

  @Test func `nothing is lost or doubled, and devices end equal, whatever a seed chooses`() {
    for seed in Self.first..<Self.first + Self.count {
      var simulation = Simulation(seed: seed)
      do { try simulation.run(steps: Self.steps) } catch {
        Issue.record("\(error). Scripts/simulate --seed \(seed) --seeds 1 --steps \(Self.steps) shows the shortest run")
      }
    }
  }

  /// A seed that shows what each guard is for.
  private static let seeds: [SyncGuard: UInt64] = [
    .recordBeforeRequest: 23, .positionWithRows: 9, .onePushPerRow: 4, .groupClosure: 3, .parentsFirst: 3,
    .noGrowthInFlight: 4, .unknownNotResent: 6,
  ]

  @Test(arguments: SyncGuard.allCases) func `the simulation notices when a guard is removed`(_ one: SyncGuard) {
    let known = Self.seeds[one] ?? 1
    for seed in [known] + Array(1...500) {
      var simulation = Simulation(seed: seed, without: [one])
      do { try simulation.run(steps: Self.steps) } catch {
        print("without \(one), seed \(seed): \(error)")
        return
      }
    }
    Issue.record("no seed notices that \(one) is removed")
  }
}
