import FetchKitTesting
import Foundation
import LarderTestSupport
import Testing

@testable import FetchKit

/// Time drawn as text: one character is a second, one line an item. `=` it is being updated, `c` changed, `x`
/// cancelled, `-` never begun.
@Suite(.timeLimit(.minutes(1))) struct RefreshBudgetTests {
  typealias Style = RefreshTests.Style

  /// What happened to the items, in seconds of the clock.
  struct Log {
    var begun: [Int: Int] = [:]
    var changed: [Int: Int] = [:]
    var cancelled: [Int: Int] = [:]

    func line(_ item: Int) -> String {
      guard let begin = begun[item], let end = changed[item] ?? cancelled[item] else { return "-" }
      return String(repeating: " ", count: begin) + String(repeating: "=", count: end - begin)
        + (changed[item] == nil ? "x" : "c")
    }
  }

  /// Updates items that take so many seconds each.
  func draw(
    _ style: Style, _ durations: [Int], concurrency: Int, budget: Int?
  ) async -> (lines: [String], report: RefreshReport<Int>) {
    let clock = ManualClock()
    let log = Lock(Log())
    let second = Lock(0)
    let report = Lock<RefreshReport<Int>?>(nil)
    let refresh = Refresh {
      $0.maxConcurrentItems = concurrency
      $0.budget = budget.map { .seconds($0) }
      $0.clock = clock
    }
    let task = Task {
      let result = await style.run(refresh, Array(durations.indices)) { item in
        log.withLock { $0.begun[item] = second.withLock { $0 } }
        do {
          try await clock.sleep(for: .seconds(durations[item]))
        } catch {
          log.withLock { $0.cancelled[item] = second.withLock { $0 } }
          throw error
        }
        log.withLock { $0.changed[item] = second.withLock { $0 } }
        return .changed
      }
      report.withLock { $0 = result }
    }
    // The next second begins when everything due in this one has happened.
    func hasSettled() -> Bool {
      if report.withLock({ $0 != nil }) { return true }
      let now = second.withLock { $0 }
      if let budget, now >= budget { return false }
      let log = log.withLock { $0 }
      let due = log.begun.count { $0.value + durations[$0.key] <= now }
      let running = log.begun.count - log.changed.count
      return log.changed.count == due && running > 0
        && running == min(concurrency, durations.count - due)
        && clock.sleeps.count == log.begun.count + (budget == nil ? 0 : 1)
    }
    while report.withLock({ $0 == nil }) {
      guard await eventually({ hasSettled() }) else {
        Issue.record("second \(second.withLock { $0 }) never ended")
        task.cancel()
        break
      }
      second.withLock { $0 += 1 }
      clock.advance(by: .seconds(1))
    }
    await task.value
    return (durations.indices.map { item in log.withLock { $0.line(item) } }, report.withLock { $0 } ?? RefreshReport())
  }

  @Test(arguments: Style.allCases)
  func `at the end of the budget running updates are cancelled and waiting ones never begin`(
    style: Style
  ) async {
    let (lines, report) = await draw(style, [2, 4, 1, 3, 9, 1], concurrency: 2, budget: 5)
    #expect(
      lines == [
        "==c",
        "====c",
        "  =c",
        "   ==x",
        "    =x",
        "-",
      ])
    #expect((report.changed, report.cancelled, report.isTimedOut) == (3, 3, true))
    #expect(report.result == .newData)
  }

  @Test(arguments: Style.allCases) func `a sufficient time budget does not affect a refresh`(style: Style) async {
    for budget in [nil, 7] {
      let (lines, report) = await draw(style, [2, 4, 1, 3], concurrency: 2, budget: budget)
      #expect(lines == ["==c", "====c", "  =c", "   ===c"])
      #expect((report.changed, report.cancelled, report.isTimedOut) == (4, 0, false))
    }
  }

  @Test(arguments: Style.allCases) func `a refresh with no update finished in time has failed`(style: Style) async {
    let (lines, report) = await draw(style, [9, 9, 9], concurrency: 2, budget: 3)
    #expect(lines == ["===x", "===x", "-"])
    #expect(report.result == .failed)
    #expect(report.isTimedOut)
  }
}
