import FetchKit
import FetchKitTesting
import Foundation
import LarderTestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct RefreshOperationsTests {
  let queue = OperationQueue()

  @Test func `the queue's limit replaces the refresh's limit`() async {
    queue.maxConcurrentOperationCount = 2
    let running = Lock((now: 0, most: 0))
    let operations = Refresh { $0.maxConcurrentItems = 20 }.enqueue(Array(0..<40), on: queue) { _ in
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

  /// A list that calls a function whenever it is read.
  private struct ObservedList: Collection, Sendable {
    var items: Range<Int>
    var read: @Sendable () -> Void

    var endIndex: Int { items.endIndex }
    var startIndex: Int {
      read()
      return items.startIndex
    }
    subscript(position: Int) -> Int { items[position] }
    func index(after index: Int) -> Int { items.index(after: index) }
  }

  @Test func `the progress of a refresh is not complete before its last item`() async {
    let seen = Lock<[OperationProgress]>([])
    let operations = Lock<RefreshOperations<Int>?>(nil)
    let note: @Sendable () -> Void = {
      if let now = operations.withLock(\.self)?.progress { seen.withLock { $0.append(now) } }
    }
    queue.isSuspended = true
    let refresh = Refresh().enqueue(listing: { ObservedList(items: 0..<3, read: note) }, on: queue) { _ in
      note()
      return .changed
    } completion: { _ in
    }
    operations.withLock { $0 = refresh }
    queue.isSuspended = false
    #expect(await refresh.report.changed == 3)
    operations.withLock { $0 = nil }
    #expect(seen.withLock { $0.count } > 3)
    #expect(seen.withLock { $0.allSatisfy { $0.completed < $0.total ?? 0 } })
    #expect(refresh.progress == OperationProgress(completed: 4, total: 4))
  }

  @Test func `a refresh on a serial queue does not deadlock`() async {
    queue.maxConcurrentOperationCount = 1
    let operations = Refresh().enqueue([1, 2, 3], on: queue) { _ in
      .unchanged
    } completion: { _ in
    }
    #expect(await operations.report.result == .noData)
  }

  @Test func `cancelling the queue's operations cancels the updates and calls the completion handler once`() async {
    // Often, because a queue to which operations are still being added cancels only those that are there.
    for _ in 0..<1000 {
      let queue = OperationQueue()
      queue.maxConcurrentOperationCount = 2
      let calls = Lock([RefreshReport<Int>]())
      let began = Events()
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
      await operations.completion.waitForCompletion()
      #expect(calls.withLock { $0.map(\.changed) } == [1])
      #expect(calls.withLock { $0.map(\.cancelled) } == [5])
    }
  }

  @Test func `a refresh cancelled before its list is read fails and updates nothing`() async {
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

  @Test func `an operation that depends on a refresh's completion sees its effect`() async {
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

  @Test(.timeLimit(.minutes(1))) func `a finished refresh retains no operation`() async {
    weak var gone: RefreshOperations<Int>?
    do {
      let operations = Refresh().enqueue([1, 2, 3]) { _ in
        .changed
      } completion: { _ in
      }
      gone = operations
      _ = await operations.report
    }
    // The queue's references are released a moment later; if one stays, the time limit cancels the wait.
    #expect(await eventually { gone == nil })
  }
}
