import FetchKit
import FetchKitTesting
import Foundation
import Testing

@Suite(.timeLimit(.minutes(1))) struct RefreshTests {
  enum Fate: CaseIterable, Sendable { case changed, unchanged, failed }
  struct Broken: Error {}

  @Test func `every combination of up to four fates gives the result of the table`() async {
    for count in 0...4 {
      for fates in combinations(count) {
        let report = await Refresh().run(fates) { fate in
          switch fate {
          case .changed: return .changed
          case .unchanged: return .unchanged
          case .failed: throw Broken()
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

  @Test func `a list that cannot be read is a failure`() async {
    let report = await Refresh().run(listing: { () async throws -> [Int] in throw Broken() }, update: { _ in .changed })
    #expect(report.result == .failed)
    #expect(report.listError is Broken)
  }

  @Test func `no more than the given number run at a time, and every item runs once`() async {
    let running = Lock((now: 0, most: 0, seen: [Int]()))
    let report = await Refresh { $0.concurrency = 3 }.run(Array(0..<50)) { item in
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

  @Test func `what is not done within the budget is cancelled and counted`() async {
    let clock = ManualClock()
    let refresh = Refresh {
      $0.concurrency = 2
      $0.budget = .seconds(25)
      $0.clock = clock
    }
    let started = Events()
    async let report = refresh.run(Array(0..<10)) { item in
      if item == 0 { return .changed }
      await started.add()
      try await Task.sleep(for: .seconds(3600))
      return .changed
    }
    await started.wait(for: 2)
    await clock.sleepers(atLeast: 1)
    clock.advance(by: .seconds(25))
    let outcome = await report
    #expect(outcome.changed == 1)
    #expect(outcome.cancelled == 9)
    #expect(outcome.isOutOfTime)
    #expect(outcome.result == .newData)
  }

  @Test func `a budget that is not needed is not mentioned`() async {
    let refresh = Refresh {
      $0.budget = .seconds(25)
      $0.clock = ManualClock()
    }
    let report = await refresh.run([1, 2]) { _ in .unchanged }
    #expect(report.result == .noData)
    #expect(!report.isOutOfTime)
  }

  @Test func `the completion handler is called once, with the cancellation too`() async {
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

  @Test func `failures keep the order of the list`() async {
    let report = await Refresh { $0.concurrency = 5 }.run(Array(0..<20)) { item in
      if item.isMultiple(of: 3) { throw Broken() }
      return .unchanged
    }
    #expect(report.failures.map(\.item) == [0, 3, 6, 9, 12, 15, 18])
  }

  private func combinations(_ count: Int) -> [[Fate]] {
    guard count > 0 else { return [[]] }
    return combinations(count - 1).flatMap { rest in Fate.allCases.map { [$0] + rest } }
  }
}

/// Counts events, and lets a test wait for them.
actor Events {
  private var count = 0
  private var waiters: [(Int, CheckedContinuation<Void, Never>)] = []

  func add() {
    count += 1
    for (needed, continuation) in waiters where count >= needed { continuation.resume() }
    waiters.removeAll { count >= $0.0 }
  }

  func wait(for needed: Int) async {
    if count >= needed { return }
    await withCheckedContinuation { waiters.append((needed, $0)) }
  }
}
