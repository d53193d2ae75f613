import Foundation
import SyncKit
import SyncTesting
import Testing

/// By default some configurations, in which one device does less. `LARDER_EXPLORE=1` explores all.
@Suite(.timeLimit(.minutes(60))) struct ExplorationTests {
  private static let isLong = ProcessInfo.processInfo.environment["LARDER_EXPLORE"] != nil

  @Test(
    arguments: isLong ? Exploration.configurations : [Exploration.configurations[5], Exploration.configurations[14]])
  func `no order of two devices loses a value or lets them differ`(_ abilities: MemoryServer.Abilities) throws {
    for losses in Self.isLong ? Exploration.twoLosses : [[1, 0]] {
      var exploration = Exploration()
      try exploration.run(abilities, losses: losses, steps: [.all, Self.isLong ? .all : [.edit, .push]])
      print(exploration.report(abilities, losses))
      #expect(exploration.mistake == nil)
    }
  }
}
