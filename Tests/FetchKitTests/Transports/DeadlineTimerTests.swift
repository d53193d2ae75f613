import Foundation
import Testing

@testable import FetchKit

@Suite(.timeLimit(.minutes(2))) struct DeadlineTimerTests {
  private func expired(
    total: Duration?, idle: Duration, _ change: (DeadlineTimer) -> Void
  ) async -> TimeoutPhase? {
    let (phases, report) = AsyncStream<TimeoutPhase>.makeStream()
    let timer = DeadlineTimer(total: total) { report.yield($0) }
    change(timer)
    timer.watchSilence(idle)
    defer { timer.stop() }
    return await phases.first { _ in true }
  }

  @Test func `silence does not count while the reader holds the transfer back, and the total time does`() async {
    #expect(await expired(total: .milliseconds(200), idle: .milliseconds(1)) { $0.hold(true) } == .total)
  }

  @Test func `silence counts again when the reader lets the transfer go on`() async {
    #expect(
      await expired(total: .seconds(60), idle: .milliseconds(1)) {
        $0.hold(true)
        $0.hold(false)
      } == .idle)
  }
}
