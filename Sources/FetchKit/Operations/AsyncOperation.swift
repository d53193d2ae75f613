public import Foundation

/// An operation that keeps executing until `finish()` is called, instead of ending when `execute()` returns.
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
/// It meets the requirements of `OperationQueue` both on Apple platforms, where the queue uses key-value observing, and
/// on Linux. On Linux, there is no key-value observing, and without this class, the queue may never start an operation
/// whose last dependency ends while the operation is being added.
///
/// - ``execute()`` is called at most once, and never if the operation was cancelled before it started.
/// - ``didCancel()`` is called at most once, never before ``execute()`` has returned, and never after the operation has
///   begun to finish.
/// - ``finish()`` ends the operation. It can be called from any thread, and only the first call has an effect. The
///   operation occupies its slot in the queue until `finish()` is called, so every code path must call it.
///
/// A subclass must restate `@unchecked Sendable` and protect its stored properties, because ``execute()``,
/// ``didCancel()`` and the callers of ``finish()`` run on different threads.
///
/// The class is `@unchecked Sendable` because `Operation` is thread-safe and locks protect all state of this class.
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

  /// Creates an operation that has not started.
  public override init() {
    super.init()
  }

  /// Performs the work or starts it. Call ``finish()`` when the work is done.
  ///
  /// This method is called on one of the queue's threads, so return quickly. The default implementation calls
  /// ``finish()`` immediately.
  open func execute() {
    finish()
  }

  /// Stops the work that ``execute()`` started. You must still call ``finish()``, either here or from the stopped work.
  ///
  /// This method is called on the thread that calls ``cancel()``. The default implementation does nothing.
  open func didCancel() {}

  /// Ends the operation and lets the operations that depend on it start. Only the first call has an effect. If it is
  /// called before the operation starts, ``execute()`` is never called.
  public final func finish() {
    guard change({ stage, _ in stage.finish() }, ends: true) else { return }
    #if !canImport(Darwin)
    // Foundation has taken the block during the notification above. On Linux it never releases the block, and a block
    // that retains its operation would leak both.
    completionBlock = nil
    #endif
    let waiting = observers.withLock { observers in
      defer { (observers.onEnd, observers.onProgress) = ([], []) }
      observers.hasEnded = true
      return observers.onEnd
    }
    for tell in waiting { tell() }
  }

  /// Cancels the operation. If the operation has not started, ``execute()`` is never called. If it is executing,
  /// ``didCancel()`` is called.
  ///
  /// The operation determines how it responds to the cancellation. An operation that is about to finish may still
  /// succeed.
  open override func cancel() {
    super.cancel()
    if stage.withLock({ $0.cancel() }) { didCancel() }
  }

  /// The current progress.
  public final var progress: OperationProgress { observers.withLock { $0.progress } }

  /// Reports the progress. Call this method from a subclass or from the code that a subclass runs.
  public final func report(_ progress: OperationProgress) {
    let callbacks = observers.withLock { observers in
      observers.progress = progress
      return observers.onProgress
    }
    for callback in callbacks { callback(progress) }
  }

  /// Registers a function that is called whenever progress is reported, until the operation ends. It is called on the
  /// thread that reports the progress.
  public final func onProgress(_ tell: @escaping @Sendable (OperationProgress) -> Void) {
    observers.withLock { if !$0.hasEnded { $0.onProgress.append(tell) } }
  }

  /// Waits until the operation has ended, regardless of how it ends.
  ///
  /// An operation that is never started never ends. Cancelling the waiting task neither cancels the operation nor ends
  /// the wait. With `OperationQueue.run(_:)`, cancelling the task does both.
  public final func waitForCompletion() async {
    await withCheckedContinuation { continuation in
      whenEnded { continuation.resume() }
    }
  }

  /// Calls the function when the operation ends, or immediately if it has already ended.
  final func whenEnded(_ tell: @escaping @Sendable () -> Void) {
    let hasEnded = observers.withLock { observers in
      if !observers.hasEnded { observers.onEnd.append(tell) }
      return observers.hasEnded
    }
    if hasEnded { tell() }
  }

  /// Starts the operation. The queue calls this method once. An asynchronous operation must not call `super.start()`.
  public final override func start() {
    switch change({ $0.start(isCancelled: $1) }, ends: false) {
    case .ignore: return
    case .finish: finish()
    case .execute:
      execute()
      if stage.withLock({ $0.didExecute() }) { didCancel() }
    }
  }

  /// This method is never called. The work is done in ``execute()``.
  public final override func main() {}

  /// Always true, because the operation continues after `start()` has returned.
  public final override var isAsynchronous: Bool { true }
  /// Whether the operation has started but not yet ended.
  public final override var isExecuting: Bool { stage.withLock { $0.isExecuting } }
  /// Whether the operation has ended, for whatever reason.
  public final override var isFinished: Bool { stage.withLock { $0.isFinished } }

  #if !canImport(Darwin)
  /// Whether all dependencies have ended. If the queue may have missed the end of a dependency, reading this property
  /// makes the queue check again.
  open override var isReady: Bool {
    let isReady = super.isReady
    let thread = pthread_self()
    if notice.withLock({ $0.answered(isReady, to: thread) }) {
      repeat { didChangeValue(forKey: "isReady") } while notice.withLock { $0.notified() }
    }
    return isReady
  }
  #endif

  /// Changes the stage and sends Foundation the notifications it expects.
  ///
  /// On Linux the notification drives the queue. It reads `isFinished`, so it must be sent outside the lock.
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
