#if !canImport(Darwin)
import Foundation
import LarderTestSupport
import Testing

@testable import FetchKit

/// Foundation's queues on Linux lose operations whose last dependency ends while they are added.
@Suite(.timeLimit(.minutes(1))) struct ReadyNoticeTests {
  private let one = pthread_self()
  private let other = pthread_self() &+ 1

  @Test func `an operation that never waited posts no ready notice`() {
    var notice = ReadyNotice()
    let isTold = notice.answered(true, to: one)
    #expect(!isTold)
  }

  @Test func `an operation that has waited posts its ready notice when asked, except from within a notice`() {
    var notice = ReadyNotice()
    for _ in 0..<2 {
      let steps = [
        notice.answered(false, to: one), notice.answered(true, to: one), notice.answered(true, to: one),
        notice.notified(),
      ]
      #expect(steps == [false, true, false, false])
    }
  }

  @Test func `a query from another thread during a ready notice causes another notice`() {
    var notice = ReadyNotice()
    let first = [notice.answered(false, to: one), notice.answered(true, to: one), notice.answered(true, to: other)]
    #expect(first == [false, true, false])
    let then = [notice.notified(), notice.notified(), notice.answered(true, to: other)]
    #expect(then == [true, false, true])
  }

  /// Ends its dependency after it has been asked whether that has ended, and before the answer arrives.
  private final class Hesitant: AsyncOperation, @unchecked Sendable {
    let dependency: AsyncOperation
    private let isAsked = Lock(true)

    init(after dependency: AsyncOperation) {
      self.dependency = dependency
      super.init()
      addDependency(dependency)
      isAsked.withLock { $0 = false }
    }

    override var isReady: Bool {
      let isReady = super.isReady
      let isFirst = isAsked.withLock { isAsked in
        defer { isAsked = true }
        return !isAsked
      }
      if isFirst { dependency.finish() }
      return isReady
    }
  }

  @Test func `an operation whose last dependency ends while it is added is started`() async {
    let queue = OperationQueue()
    let dependency = AsyncOperationTests.Probe()
    queue.addOperation(dependency)
    await dependency.began.wait(for: 1)
    let operation = Hesitant(after: dependency)
    queue.addOperation(operation)
    #expect(await eventually { operation.isFinished })
  }
}
#endif
