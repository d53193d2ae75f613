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
    // Less time than passes between two readings of the clock.
    #expect(await expired(total: .milliseconds(1), idle: .nanoseconds(1)) { $0.hold(true) } == .total)
  }

  @TaskLocal private static var isSet = false

  @Test func `a timer inherits neither the priority nor the task-local values of its caller`() async {
    await Self.$isSet.withValue(true) {
      await Task(priority: .background) {
        let (contexts, report) = AsyncStream<(TaskPriority, Bool)>.makeStream()
        let timer = DeadlineTimer(total: .zero) { _ in report.yield((Task.currentPriority, Self.isSet)) }
        let context = await contexts.first { _ in true }
        timer.stop()
        #expect(context?.0 == .medium)
        #expect(context?.1 == false)
      }.value
    }
  }

  @Test func `silence counts again when the reader lets the transfer go on`() async {
    #expect(
      await expired(total: .seconds(60), idle: .milliseconds(1)) {
        $0.hold(true)
        $0.hold(false)
      } == .idle)
  }
}
