import Foundation
import LarderTestSupport
import Testing

@testable import FetchKit

@Suite(.timeLimit(.minutes(10))) struct ExclusionTests {
  typealias Probe = AsyncOperationTests.Probe

  @Test func `operations of one category run one at a time, in order, on any queue`() async {
    let queues = [OperationQueue(), OperationQueue()]
    let log = Lock((now: 0, most: 0, order: [Int]()))
    let operations = (0..<100).map { index in
      TaskOperation {
        log.withLock { log in
          log.now += 1
          log.most = max(log.most, log.now)
          log.order.append(index)
        }
        await Task.yield()
        log.withLock { $0.now -= 1 }
      }
    }
    for (index, operation) in operations.enumerated() {
      queues[index % 2].addOperation(operation, exclusively: "one at a time")
    }
    for operation in operations { await operation.waitForCompletion() }
    #expect(log.withLock { $0.most } == 1)
    #expect(log.withLock { $0.order } == Array(0..<100))
  }

  @Test func `a cancelled operation does not let the next one overtake those before it`() async {
    let queue = OperationQueue()
    let (first, second) = (Probe(), Probe())
    let sawFirstEnd = Lock<Bool?>(nil)
    let third = Probe { probe in
      sawFirstEnd.withLock { $0 = first.isFinished }
      probe.finish()
    }
    for operation in [first, second, third] { queue.addOperation(operation, exclusively: "cancelled in line") }
    await first.began.wait(for: 1)
    second.cancel()
    await second.waitForCompletion()
    // If the third were let through, it would be by now or soon: an operation added later has run in the meantime.
    await queue.run(AsyncOperation())
    #expect(!third.isExecuting && !third.isFinished)
    first.finish()
    await third.waitForCompletion()
    #expect(sawFirstEnd.withLock { $0 } == true)
  }

  @Test func `different categories do not wait for each other, and two in common do not deadlock`() async {
    let queue = OperationQueue()
    let held = Probe()
    queue.addOperation(held, exclusively: "a")
    await held.began.wait(for: 1)
    let free = Probe { $0.finish() }
    queue.addOperation(free, exclusively: "b")
    await free.waitForCompletion()
    let both = (0..<50).map { _ in Probe { $0.finish() } }
    for (index, operation) in both.enumerated() {
      if index.isMultiple(of: 2) {
        queue.addOperation(operation, exclusively: "a", "b")
      } else {
        queue.addOperation(operation, exclusively: "b", "a")
      }
    }
    held.finish()
    for operation in both { await operation.waitForCompletion() }
  }

  @Test(.timeLimit(.minutes(1)))
  func `many tasks may add exclusive operations at the same time, and none is retained afterwards`() async {
    let queue = OperationQueue()
    let lines = ExclusionQueues()
    let counts = Lock((now: 0, most: 0, runs: 0))
    let endings = Events()
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<200 {
        group.addTask {
          let operation = TaskOperation {
            counts.withLock { counts in
              counts.now += 1
              counts.runs += 1
              counts.most = max(counts.most, counts.now)
            }
            await Task.yield()
            counts.withLock { $0.now -= 1 }
          }
          lines.enter(operation, ["x", "y"])
          await queue.run(operation)
          await endings.add()
        }
      }
    }
    await endings.wait(for: 200)
    #expect(counts.withLock { $0.most } == 1)
    #expect(counts.withLock { $0.runs } == 200)
    let last = AsyncOperation()
    lines.enter(last, ["x"])
    await queue.run(last)
    // The marker ends a moment later; if it stays, the time limit cancels the wait.
    #expect(await eventually { lines.count == 0 })
  }
}
