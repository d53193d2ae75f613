import Foundation
import LarderTestSupport
import Testing

@testable import FetchKit

/// Many operations with random dependencies and cancels: `LARDER_OPERATIONS` sets their number (default 3000; 20 000
/// for the long form), and `LARDER_SEED` chooses them.
@Suite(.timeLimit(.minutes(3))) struct OperationStormTests {
  final class Worker: AsyncOperation, @unchecked Sendable {
    struct Log {
      var executions = 0
      var cancellations = 0
      var isTooEarly = false
      var completions = 0
      var ends = 0
    }
    let log = Lock(Log())
    let yields: Int
    let needs: [Worker]

    init(yields: Int, needs: [Worker]) {
      self.yields = yields
      self.needs = needs
      super.init()
      for worker in needs { addDependency(worker) }
    }

    override func execute() {
      // Foundation starts a cancelled operation early; it must not get here before its dependencies have ended.
      let isTooEarly = !needs.allSatisfy(\.isFinished) && !isCancelled
      log.withLock { log in
        log.executions += 1
        log.isTooEarly = log.isTooEarly || isTooEarly
      }
      if yields == 0 { return finish() }
      Task {
        for _ in 0..<yields { await Task.yield() }
        finish()
      }
    }

    override func didCancel() {
      log.withLock { $0.cancellations += 1 }
      finish()
    }
  }

  @Test func `with random dependencies and cancels each operation starts at most once and ends once`() async {
    var random = SplitMix.printed()
    let count = ProcessInfo.processInfo.environment["LARDER_OPERATIONS"].flatMap { Int($0) } ?? 3000
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount =
      [1, 4, 32, OperationQueue.defaultMaxConcurrentOperationCount]
      .randomElement(using: &random) ?? 4
    let completed = Events()
    let reported = Events()
    var workers: [Worker] = []
    for _ in 0..<count {
      let needs = Set(
        (0..<Int.random(in: 0...3, using: &random)).compactMap { _ in
          workers.suffix(500).indices.randomElement(using: &random)
        })
      let worker = Worker(yields: Int.random(in: 0...5, using: &random), needs: needs.map { workers[$0] })
      worker.completionBlock = { [unowned worker] in
        worker.log.withLock { $0.completions += 1 }
        Task { await completed.add() }
      }
      worker.whenEnded { [unowned worker] in
        worker.log.withLock { $0.ends += 1 }
        Task { await reported.add() }
      }
      workers.append(worker)
    }
    let allEnded = Lock<Bool?>(nil)
    let all = workers
    let last = CompletionOperation(after: workers) { allEnded.withLock { $0 = all.allSatisfy(\.isFinished) } }

    let victims = workers.shuffled(using: &random).prefix(count / 4)
    let order = workers.shuffled(using: &random)
    await withTaskGroup(of: Void.self) { group in
      group.addTask { queue.addOperations(order + [last]) }
      for half in 0..<2 {
        group.addTask {
          for (index, victim) in victims.enumerated() where index % 2 == half {
            if index.isMultiple(of: 16) { await Task.yield() }
            victim.cancel()
          }
        }
      }
    }
    await last.waitForCompletion()
    // Foundation learns of an end first and may let others start before the waiting tasks are notified.
    await completed.wait(for: count)
    await reported.wait(for: count)

    #expect(allEnded.withLock { $0 } == true)
    #expect(last.progress == OperationProgress(completed: Int64(count), total: Int64(count)))
    for worker in workers {
      let log = worker.log.withLock { $0 }
      #expect(log.executions <= 1 && log.cancellations <= 1 && log.completions == 1 && log.ends == 1)
      #expect(!log.isTooEarly)
      #expect(log.executions == 1 || worker.isCancelled)
      #expect(log.cancellations == 0 || log.executions == 1)
    }
  }
}
