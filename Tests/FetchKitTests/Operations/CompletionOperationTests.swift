import FetchKit
import Foundation
import Testing

@Suite(.timeLimit(.minutes(10))) struct CompletionOperationTests {
  typealias Probe = AsyncOperationTests.Probe
  struct TestError: Error {}
  let queue = OperationQueue()

  @Test func `a completion operation runs once all others have succeeded, failed or been cancelled`() async {
    let done = TaskOperation { 1 }
    let failed = TaskOperation<Int> { throw TestError() }
    let cancelled = Probe()
    let before = [done, failed, cancelled] as [AsyncOperation]
    let runs = Lock(0)
    let completion = CompletionOperation(after: before) {
      runs.withLock { $0 += before.allSatisfy(\.isFinished) ? 1 : 100 }
    }
    queue.addOperations(before + [completion])
    await cancelled.began.wait(for: 1)
    #expect(runs.withLock { $0 } == 0)
    cancelled.cancel()
    await completion.waitForCompletion()
    #expect(runs.withLock { $0 } == 1)
    #expect(completion.progress == OperationProgress(completed: 3, total: 3))
  }

  @Test func `a completion operation with nothing to wait for runs immediately`() async {
    let runs = Lock(0)
    await queue.run(CompletionOperation { runs.withLock { $0 += 1 } })
    #expect(runs.withLock { $0 } == 1)
  }

  @Test func `cancelling the queue makes the completion operation run after all others have ended`() async {
    let stuck = Probe()
    let order = Lock([String]())
    stuck.completionBlock = nil
    let completion = CompletionOperation(after: [stuck]) { order.withLock { $0.append("done, \(stuck.isFinished)") } }
    queue.addOperations([stuck, completion])
    await stuck.began.wait(for: 1)
    completion.cancel()
    queue.cancelAllOperations()
    await completion.waitForCompletion()
    #expect(order.withLock { $0 } == ["done, true"])
    #expect(!completion.isCancelled)
  }

  @Test @MainActor func `a completion operation's block runs in the isolation it names`() async {
    let text = Lock("")
    let completion = CompletionOperation { @MainActor in
      MainActor.assertIsolated()
      text.withLock { $0 = "on the main actor" }
    }
    await queue.run(completion)
    #expect(text.withLock { $0 } == "on the main actor")
  }

  @Test func `a completion operation ends when its asynchronous block ends`() async {
    let gate = Events()
    let completion = CompletionOperation { await gate.wait(for: 1) }
    queue.addOperation(completion)
    #expect(!completion.isFinished)
    await gate.add()
    await completion.waitForCompletion()
  }
}
