import FetchKit
import FetchKitTesting
import Foundation
import Testing

@Suite(.timeLimit(.minutes(10))) struct RefreshTests {
  enum Fate: CaseIterable, Sendable { case changed, unchanged, failed }
  struct TestError: Error {}

  /// The two styles; both make the same guarantees.
  enum Style: CaseIterable, Sendable {
    case group, operations

    func run<Item: Sendable>(
      _ refresh: Refresh, _ items: [Item], _ update: @escaping @Sendable (Item) async throws -> Refresh.Change
    ) async -> RefreshReport<Item> {
      await run(refresh, listing: { items }, update)
    }

    /// Cancelling the task cancels the refresh.
    func run<Item: Sendable>(
      _ refresh: Refresh, listing list: @escaping @Sendable () async throws -> [Item],
      _ update: @escaping @Sendable (Item) async throws -> Refresh.Change
    ) async -> RefreshReport<Item> {
      switch self {
      case .group: return await refresh.run(listing: list, update: update)
      case .operations:
        let calls = Lock(0)
        let operations = refresh.enqueue(listing: list, update: update) { _ in calls.withLock { $0 += 1 } }
        let report = await withTaskCancellationHandler {
          await operations.report
        } onCancel: {
          operations.cancel()
        }
        #expect(calls.withLock { $0 } == 1)
        return report
      }
    }
  }

  @Test(arguments: Style.allCases)
  func `every combination of up to four item results gives the documented refresh result`(style: Style) async {
    for count in 0...4 {
      for fates in combinations(count) {
        let report = await style.run(Refresh(), fates) { fate in
          switch fate {
          case .changed: return .changed
          case .unchanged: return .unchanged
          case .failed: throw TestError()
          }
        }
        let expected: RefreshResult =
          fates.contains(.changed) ? .newData : fates.contains(.failed) ? .failed : .noData
        #expect(report.result == expected, "\(fates)")
        #expect(report.changed == fates.filter { $0 == .changed }.count)
        #expect(report.unchanged == fates.filter { $0 == .unchanged }.count)
        #expect(report.failed == fates.filter { $0 == .failed }.count)
        #expect(report.cancelled == 0)
      }
    }
  }

  @Test(arguments: Style.allCases) func `a refresh whose list cannot be read is a failure`(style: Style) async {
    let report = await style.run(Refresh(), listing: { () async throws -> [Int] in throw TestError() }) { _ in .changed
    }
    #expect(report.result == .failed)
    #expect(report.listError is TestError)
  }

  @Test(arguments: Style.allCases)
  func `a refresh updates every item once and no more than the limit at a time`(style: Style) async {
    let running = Lock((now: 0, most: 0, seen: [Int]()))
    let report = await style.run(Refresh { $0.maxConcurrentItems = 3 }, Array(0..<50)) { item in
      running.withLock { running in
        running.now += 1
        running.most = max(running.most, running.now)
        running.seen.append(item)
      }
      await Task.yield()
      running.withLock { $0.now -= 1 }
      return .unchanged
    }
    #expect(running.withLock { $0.most } <= 3)
    #expect(running.withLock { $0.seen }.sorted() == Array(0..<50))
    #expect(report.unchanged == 50)
  }

  @Test(arguments: Style.allCases) func `updates unfinished at the end of the budget are cancelled and counted`(
    style: Style
  ) async {
    let clock = ManualClock()
    let refresh = Refresh {
      $0.maxConcurrentItems = 2
      $0.budget = .seconds(25)
      $0.clock = clock
    }
    let started = Events()
    async let report = style.run(refresh, Array(0..<10)) { item in
      if item == 0 { return .changed }
      await started.add()
      try await Task.sleep(for: .seconds(3600))
      return .changed
    }
    await started.wait(for: 2)
    await clock.sleepers(atLeast: 1)
    clock.advance(by: .seconds(24))
    clock.advance(by: .seconds(1))
    let outcome = await report
    #expect(outcome.changed == 1)
    #expect(outcome.cancelled == 9)
    #expect(outcome.isTimedOut)
    #expect(outcome.result == .newData)
  }

  @Test(arguments: Style.allCases) func `a refresh whose list takes too long runs out of time`(style: Style) async {
    let clock = ManualClock()
    let refresh = Refresh {
      $0.budget = .seconds(25)
      $0.clock = clock
    }
    async let report = style.run(
      refresh,
      listing: { () async throws -> [Int] in
        try await Task.sleep(for: .seconds(3600))
        return [1]
      }
    ) { _ in .changed }
    await clock.sleepers(atLeast: 1)
    clock.advance(by: .seconds(25))
    let outcome = await report
    #expect(outcome.isTimedOut)
    #expect(outcome.listError is CancellationError)
    #expect(outcome.result == .failed)
  }

  @Test(arguments: Style.allCases) func `a refresh result within its budget does not mention the budget`(style: Style)
    async
  {
    let clock = ManualClock()
    let refresh = Refresh {
      $0.budget = .seconds(25)
      $0.clock = clock
    }
    let report = await style.run(refresh, [1, 2]) { _ in .unchanged }
    #expect(report.result == .noData)
    #expect(!report.isTimedOut)
  }

  @Test(arguments: Style.allCases) func `cancelling a refresh cancels running updates, begins no more and counts both`(
    style: Style
  ) async {
    let began = Events()
    let task = Task {
      await style.run(Refresh { $0.maxConcurrentItems = 2 }, Array(0..<10)) { _ in
        await began.add()
        try await Task.sleep(for: .seconds(3600))
        return .changed
      }
    }
    await began.wait(for: 2)
    task.cancel()
    let report = await task.value
    #expect(report.cancelled == 10)
    #expect(report.result == .failed)
    #expect(!report.isTimedOut)
  }

  @Test func `a refresh calls its completion handler once, also when cancelled`() async {
    for cancels in [false, true] {
      let calls = Lock([RefreshReport<Int>]())
      let started = Events()
      let ended = Events()
      let task = Refresh().run([1, 2, 3]) { _ in
        await started.add()
        if cancels { try await Task.sleep(for: .seconds(3600)) }
        return .unchanged
      } completion: { report in
        calls.withLock { $0.append(report) }
        Task { await ended.add() }
      }
      await started.wait(for: 1)
      if cancels { task.cancel() }
      await task.value
      await ended.wait(for: 1)
      #expect(calls.withLock { $0.map(\.result) } == [cancels ? .failed : .noData])
      if cancels { #expect(calls.withLock { $0.map(\.cancelled) } == [3]) }
    }
  }

  @Test(arguments: Style.allCases) func `a refresh reports its failures in the order of the list`(style: Style) async {
    let report = await style.run(Refresh { $0.maxConcurrentItems = 5 }, Array(0..<20)) { item in
      if item.isMultiple(of: 3) { throw TestError() }
      return .unchanged
    }
    #expect(report.failures.map(\.item) == [0, 3, 6, 9, 12, 15, 18])
  }

  private func combinations(_ count: Int) -> [[Fate]] {
    guard count > 0 else { return [[]] }
    return combinations(count - 1).flatMap { rest in Fate.allCases.map { [$0] + rest } }
  }
}
