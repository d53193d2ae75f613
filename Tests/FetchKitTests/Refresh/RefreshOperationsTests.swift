import FetchKitTesting
import Foundation
import TestSupport
import Testing

@testable import FetchKit

@Suite(.timeLimit(.minutes(10))) struct RefreshOperationsTests {
  let queue = OperationQueue()

  @Test func `the queue's limit takes the place of the refresh's`() async {
    queue.maxConcurrentOperationCount = 2
    let running = Lock((now: 0, most: 0))
    let operations = Refresh { $0.concurrency = 20 }.enqueue(Array(0..<40), on: queue) { _ in
      running.withLock { running in
        running.now += 1
        running.most = max(running.most, running.now)
      }
      await Task.yield()
      running.withLock { $0.now -= 1 }
      return .changed
    } completion: { _ in
    }
    #expect(await operations.report.changed == 40)
    #expect(running.withLock { $0.most } <= 2)
    #expect(operations.progress == OperationProgress(completed: 41, total: 41))
  }

  @Test func `a queue that lets one run at a time does not lock up`() async {
    queue.maxConcurrentOperationCount = 1
    let operations = Refresh().enqueue([1, 2, 3], on: queue) { _ in
      .unchanged
    } completion: { _ in
    }
    #expect(await operations.report.result == .noData)
  }

  @Test func `cancelling the queue's operations cancels the updates, and the completion handler is called once`() async
  {
    let calls = Lock([RefreshReport<Int>]())
    let began = Events()
    queue.maxConcurrentOperationCount = 2
    let operations = Refresh().enqueue(Array(0..<6), on: queue) { item in
      if item == 0 { return .changed }
      await began.add()
      try await Task.sleep(for: .seconds(3600))
      return .changed
    } completion: { report in
      calls.withLock { $0.append(report) }
    }
    await began.wait(for: 2)
    queue.cancelAllOperations()
    await operations.completion.ended()
    #expect(calls.withLock { $0.map(\.changed) } == [1])
    #expect(calls.withLock { $0.map(\.cancelled) } == [5])
  }

  @Test func `cancelled before the list is read it fails, and nothing is updated`() async {
    queue.isSuspended = true
    let operations = Refresh().enqueue(
      listing: { () async throws -> [Int] in
        Issue.record("the list was read")
        return []
      }, on: queue
    ) { _ in
      .changed
    } completion: { _ in
    }
    operations.cancel()
    queue.isSuspended = false
    let report = await operations.report
    #expect(report.result == .failed)
    #expect(report.listError is CancellationError)
  }

  @Test func `an operation that depends on the completion sees its effect`() async {
    let results = Lock([RefreshResult]())
    let operations = Refresh().enqueue([1], on: queue) { _ in
      .changed
    } completion: { report in
      results.withLock { $0.append(report.result) }
    }
    let after = TaskOperation { results.withLock { $0 } }
    after.addDependency(operations.completion)
    queue.addOperation(after)
    #expect((try? await after.value) == [.newData])
  }

  @Test(.timeLimit(.minutes(1))) func `nothing is kept when all is over`() async {
    weak var gone: RefreshOperations<Int>?
    do {
      let operations = Refresh().enqueue([1, 2, 3]) { _ in
        .changed
      } completion: { _ in
      }
      gone = operations
      _ = await operations.report
    }
    // The queue's references go a moment later; one that stays is seen when the time limit cancels.
    #expect(await eventually { gone == nil })
  }
}
