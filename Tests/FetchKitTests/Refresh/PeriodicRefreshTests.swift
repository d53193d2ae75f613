import FetchKitTesting
import Foundation
import LarderTestSupport
import Testing

@testable import FetchKit

@Suite(.timeLimit(.minutes(10))) struct PeriodicRefreshTests {
  let clock = ManualClock()
  let runs = Events()

  func periodic(_ run: @escaping @Sendable () async -> RefreshResult) -> PeriodicRefresh {
    PeriodicRefresh(every: .seconds(60)) { [clock] in
      $0.clock = clock
      $0.random = { _ in 0 }
    } run: {
      await run()
    }
  }

  @Test func `a periodic refresh runs at the start and then once per interval`() async {
    let runs = runs
    let periodic = periodic {
      await runs.add()
      return .noData
    }
    periodic.start()
    for round in 1...5 {
      await runs.wait(for: round)
      await clock.sleepers(atLeast: 1)
      clock.advance(by: .seconds(60))
    }
    await runs.wait(for: 6)
    #expect(clock.sleeps.prefix(5).allSatisfy { $0 == .seconds(60) })
  }

  @Test func `failures lengthen the interval of a periodic refresh, and a success resets it`() async {
    let results = Lock<[RefreshResult]>([.failed, .failed, .newData])
    let periodic = periodic { results.withLock { $0.isEmpty ? .noData : $0.removeFirst() } }
    periodic.start()
    for seconds in [120, 240, 60] {
      await clock.sleepers(atLeast: 1)
      #expect(clock.sleeps.last == .seconds(seconds))
      clock.advance(by: .seconds(seconds))
    }
    await clock.sleepers(atLeast: 1)
  }

  @Test func `callers that request a refresh during a run share its result`() async {
    let gate = Events()
    let runs = runs
    let periodic = periodic {
      await runs.add()
      await gate.wait(for: 1)
      return .newData
    }
    periodic.start()
    await runs.wait(for: 1)
    async let first = periodic.refreshNow()
    async let second = periodic.refreshNow()
    // Both have to wait before the run ends; a later call would start another run and wait in vain.
    #expect(await eventually { periodic.demands >= 2 })
    await gate.add()
    #expect(await [first, second] == [.newData, .newData])
    #expect(await runs.total == 1)
  }

  @Test func `a requested refresh runs immediately and postpones the next scheduled run`() async {
    let runs = runs
    let periodic = periodic {
      await runs.add()
      return .noData
    }
    periodic.start()
    await clock.sleepers(atLeast: 1)
    clock.advance(by: .seconds(50))
    #expect(await periodic.refreshNow() == .noData)
    await clock.sleepers(atLeast: 1)
    clock.advance(by: .seconds(59))
    #expect(await runs.total == 2)
    clock.advance(by: .seconds(1))
    await runs.wait(for: 3)
  }

  @Test func `a stopped periodic refresh schedules no run but still runs on request`() async {
    let runs = runs
    let periodic = periodic {
      await runs.add()
      return .newData
    }
    periodic.start()
    await clock.sleepers(atLeast: 1)
    periodic.stop()
    clock.advance(by: .seconds(600))
    #expect(await periodic.refreshNow() == .newData)
    #expect(await runs.total == 2)
    #expect(clock.sleeps.count == 1)
    clock.advance(by: .seconds(600))
    periodic.start()
    await runs.wait(for: 3)
  }

  @Test func `releasing a periodic refresh cancels its current run`() async {
    let began = Events()
    let ended = Events()
    var periodic: PeriodicRefresh? = periodic {
      await began.add()
      do {
        try await Task.sleep(for: .seconds(3600))
      } catch {
        await ended.add()
      }
      return .failed
    }
    periodic?.start()
    await began.wait(for: 1)
    periodic = nil
    await ended.wait(for: 1)
  }
}
