import FetchKit
import Foundation
import LarderTestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct AsyncOperationTests {
  /// Executes until it is finished from outside; counts the calls to its methods.
  final class Probe: AsyncOperation, @unchecked Sendable {
    struct Calls: Equatable {
      var executions = 0
      var cancellations = 0
      var hasExecuted = false
      var cancelledTooEarly = false
    }
    let calls = Lock(Calls())
    let began = Events()
    let during: @Sendable (Probe) -> Void

    init(during: @escaping @Sendable (Probe) -> Void = { _ in }) {
      self.during = during
      super.init()
    }

    override func execute() {
      calls.withLock { $0.executions += 1 }
      during(self)
      calls.withLock { $0.hasExecuted = true }
      Task { await began.add() }
    }

    override func didCancel() {
      calls.withLock { calls in
        calls.cancellations += 1
        if !calls.hasExecuted { calls.cancelledTooEarly = true }
      }
      finish()
    }
  }

  let queue = OperationQueue()

  @Test func `an asynchronous operation executes until it calls finish`() async {
    let probe = Probe()
    #expect(!probe.isExecuting && !probe.isFinished && probe.isAsynchronous)
    queue.addOperation(probe)
    await probe.began.wait(for: 1)
    #expect(probe.isExecuting && !probe.isFinished)
    probe.finish()
    await probe.waitForCompletion()
    #expect(!probe.isExecuting && probe.isFinished)
    probe.finish()
    probe.start()
    #expect(probe.calls.withLock { $0.executions } == 1)
  }

  @Test func `an asynchronous operation without its own work finishes immediately`() async {
    let operation = AsyncOperation()
    await queue.run(operation)
    #expect(operation.isFinished)
  }

  @Test func `an operation cancelled before its start does no work and still finishes`() async {
    queue.isSuspended = true
    let probe = Probe()
    queue.addOperation(probe)
    probe.cancel()
    #expect(!probe.isFinished)
    queue.isSuspended = false
    await probe.waitForCompletion()
    #expect(probe.calls.withLock { $0 } == Probe.Calls())
  }

  @Test func `an operation cancelled while executing is notified once`() async {
    let probe = Probe()
    queue.addOperation(probe)
    await probe.began.wait(for: 1)
    probe.cancel()
    probe.cancel()
    await probe.waitForCompletion()
    probe.cancel()
    #expect(probe.calls.withLock { $0.cancellations } == 1)
  }

  @Test func `an operation cancelled while it begins is notified after it has begun`() async {
    let probe = Probe { $0.cancel() }
    queue.addOperation(probe)
    await probe.waitForCompletion()
    #expect(probe.calls.withLock { $0 } == Probe.Calls(executions: 1, cancellations: 1, hasExecuted: true))
  }

  @Test func `an operation finished before its start does no work`() async {
    let probe = Probe()
    probe.finish()
    #expect(!probe.isFinished)
    await queue.run(probe)
    #expect(probe.calls.withLock { $0.executions } == 0)
  }

  @Test func `a dependent operation waits for the end of its dependency, not for its start`() async {
    let first = Probe()
    let second = Probe { $0.finish() }
    second.addDependency(first)
    queue.addOperation(second)
    queue.addOperation(first)
    await first.began.wait(for: 1)
    #expect(second.calls.withLock { $0.executions } == 0)
    first.finish()
    await second.waitForCompletion()
    #expect(second.calls.withLock { $0.executions } == 1)
  }

  @Test func `a ready operation between two waiting ones does not lose the later one`() async {
    let gate = Probe()
    let waiting = (0..<5).map { _ in Probe { $0.finish() } }
    for operation in waiting where operation !== waiting[2] { operation.addDependency(gate) }
    queue.addOperations(waiting)
    await waiting[2].waitForCompletion()
    queue.addOperation(gate)
    await gate.began.wait(for: 1)
    gate.finish()
    for operation in waiting { await operation.waitForCompletion() }
    #expect(waiting.allSatisfy { $0.calls.withLock { $0.executions } == 1 })
  }

  @Test(.timeLimit(.minutes(1)))
  func `a completion block runs once and is released, even one that holds its operation`()
    async
  {
    weak var gone: Probe?
    let runs = Lock(0)
    let ran = Events()
    do {
      let probe = Probe { $0.finish() }
      gone = probe
      probe.completionBlock = {
        runs.withLock { $0 += probe.isFinished ? 1 : 100 }
        Task { await ran.add() }
      }
      queue.addOperation(probe)
    }
    await ran.wait(for: 1)
    // The queue's own reference is released a moment after the block runs, and no event marks that. If it stays, the
    // time limit cancels the wait.
    #expect(await eventually { gone == nil })
    #expect(runs.withLock { $0 } == 1)
  }

  @Test func `an operation's progress reaches every listener until the end`() async {
    let seen = Lock([OperationProgress]())
    let probe = Probe { $0.report(OperationProgress(completed: 1, total: 4)) }
    probe.onProgress { progress in seen.withLock { $0.append(progress) } }
    queue.addOperation(probe)
    await probe.began.wait(for: 1)
    #expect(probe.progress.fraction == 0.25)
    probe.finish()
    probe.report(OperationProgress(completed: 4, total: 4))
    #expect(seen.withLock { $0 } == [OperationProgress(completed: 1, total: 4)])
  }

  @Test(
    arguments: [
      (OperationProgress(completed: 3), nil), (OperationProgress(completed: 0, total: 0), 1),
      (OperationProgress(completed: 9, total: 4), 1), (OperationProgress(completed: -1, total: 4), 0),
    ] as [(OperationProgress, Double?)])
  func `the fraction of an operation's progress is between 0 and 1, or unknown`(
    progress: OperationProgress, fraction: Double?
  ) {
    #expect(progress.fraction == fraction)
  }
}
