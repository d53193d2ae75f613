public import Foundation

/// An operation that is at work until it says that it has finished, not until a method returns.
///
/// ```swift
/// final class Chime: AsyncOperation, @unchecked Sendable {
///   override func execute() {
///     DispatchQueue.global().asyncAfter(deadline: .now() + 1) { self.finish() }
///   }
/// }
/// queue.addOperation(Chime())
/// ```
///
/// It keeps what `OperationQueue` expects, on Apple's platforms (key-value observing) and on Linux (where there is
/// none, and where the queue by itself may forget an operation whose last dependency ends while it is added):
///
/// - ``execute()`` is called at most once, and not at all when the operation was cancelled before its start.
/// - ``didCancel()`` is called at most once, never before ``execute()`` has returned, never after the end began.
/// - ``finish()`` ends it once, from any thread, however often it is called. Until then the operation occupies its
///   place in the queue: every path must come to it.
///
/// A subclass restates `@unchecked Sendable`, and protects what it stores: ``execute()``, ``didCancel()`` and whatever
/// calls ``finish()`` run on different threads.
///
/// `@unchecked Sendable`: `Operation` may be used from any thread, and all state of its own is behind locks.
open class AsyncOperation: Operation, @unchecked Sendable {
  private struct Observers {
    var progress = OperationProgress()
    var onProgress: [@Sendable (OperationProgress) -> Void] = []
    var onEnd: [@Sendable () -> Void] = []
    var hasEnded = false
  }

  private let stage = Lock(OperationStage())
  private let observers = Lock(Observers())
  #if !canImport(Darwin)
  private let notice = Lock(ReadyNotice())
  #endif

  /// An operation that has not begun.
  public override init() {
    super.init()
  }

  /// Does the work, or sets it going; ``finish()`` says when it is done.
  ///
  /// Called on a thread of the queue: return soon. Finishes at once unless overridden.
  open func execute() {
    finish()
  }

  /// Stops the work that ``execute()`` set going; ``finish()`` must still be called, here or by what stops.
  ///
  /// Called on the thread that cancels. Does nothing unless overridden.
  open func didCancel() {}

  /// Ends the operation and lets go what depends on it. The first call counts; before the start it only keeps the
  /// operation from working once it is started.
  public final func finish() {
    guard change({ stage, _ in stage.finish() }, ends: true) else { return }
    #if !canImport(Darwin)
    // Foundation has taken the block with the notification above. Here it never lets go of it, and a block that holds
    // its operation would keep both for ever.
    completionBlock = nil
    #endif
    let waiting = observers.withLock { observers in
      defer { (observers.onEnd, observers.onProgress) = ([], []) }
      observers.hasEnded = true
      return observers.onEnd
    }
    for tell in waiting { tell() }
  }

  /// Cancels: an operation that has not started never works, one at work is told by ``didCancel()``.
  ///
  /// Whether it has an effect is the operation's affair; one that is ready to finish may still succeed.
  open override func cancel() {
    super.cancel()
    if stage.withLock({ $0.cancel() }) { didCancel() }
  }

  /// How far it has come.
  public final var progress: OperationProgress { observers.withLock { $0.progress } }

  /// Tells how far it has come: for subclasses, and whoever works for them.
  public final func report(_ progress: OperationProgress) {
    let told = observers.withLock { observers in
      observers.progress = progress
      return observers.onProgress
    }
    for tell in told { tell(progress) }
  }

  /// Has a function called whenever progress is reported, on the thread that reports it, until the end.
  public final func onProgress(_ tell: @escaping @Sendable (OperationProgress) -> Void) {
    observers.withLock { if !$0.hasEnded { $0.onProgress.append(tell) } }
  }

  /// Returns when the operation has ended, however it ended.
  ///
  /// An operation that nobody starts never ends. Cancelling the waiting task does not cancel the operation and does not
  /// end the wait; `OperationQueue.run(_:)` does both.
  public final func ended() async {
    await withCheckedContinuation { continuation in
      whenEnded { continuation.resume() }
    }
  }

  /// Calls at the end, or at once where it has come already.
  final func whenEnded(_ tell: @escaping @Sendable () -> Void) {
    let hasEnded = observers.withLock { observers in
      if !observers.hasEnded { observers.onEnd.append(tell) }
      return observers.hasEnded
    }
    if hasEnded { tell() }
  }

  /// For the queue, which calls it once. Calling `super.start()` is against the rules of asynchronous operations.
  public final override func start() {
    switch change({ $0.start(isCancelled: $1) }, ends: false) {
    case .ignore: return
    case .finish: finish()
    case .execute:
      execute()
      if stage.withLock({ $0.didExecute() }) { didCancel() }
    }
  }

  /// Not called: the work is in ``execute()``.
  public final override func main() {}

  /// True: it is at work after `start()` has returned.
  public final override var isAsynchronous: Bool { true }
  /// Whether it has begun and not yet ended.
  public final override var isExecuting: Bool { stage.withLock { $0.isExecuting } }
  /// Whether it has ended, however it ended.
  public final override var isFinished: Bool { stage.withLock { $0.isFinished } }

  #if !canImport(Darwin)
  /// Whether all it depends on has ended. A queue that might have missed that looks again.
  open override var isReady: Bool {
    let isReady = super.isReady
    let thread = pthread_self()
    if notice.withLock({ $0.answered(isReady, to: thread) }) {
      repeat { didChangeValue(forKey: "isReady") } while notice.withLock { $0.told() }
    }
    return isReady
  }
  #endif

  /// Moves on, and tells Foundation as it wants to be told.
  ///
  /// The notification is what drives a queue on Linux: it asks for `isFinished`, so it must come outside the lock.
  private func change<Result>(
    _ step: (inout OperationStage, _ isCancelled: Bool) -> Result, ends: Bool
  ) -> Result {
    let isCancelled = isCancelled
    willChangeValue(forKey: "isExecuting")
    if ends { willChangeValue(forKey: "isFinished") }
    let result = stage.withLock { step(&$0, isCancelled) }
    didChangeValue(forKey: "isExecuting")
    if ends { didChangeValue(forKey: "isFinished") }
    return result
  }
}
