public import Foundation

/// An operation that continues until `finish()` is called, even after `execute()` has returned.
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
/// The class works with `OperationQueue` on Apple platforms, where the queue uses key-value observing, and on Linux,
/// where key-value observing is not available. On Linux, a queue may never start an operation if the operation's last
/// dependency ends while the operation is being added to the queue. This class avoids that problem.
///
/// - ``execute()`` is called at most once. It is not called if the operation was cancelled before it started.
/// - ``didCancel()`` is called at most once. It is called only after ``execute()`` has returned and before the
///   operation begins to finish.
/// - ``finish()`` ends the operation. It can be called from any thread, and only the first call has an effect. The
///   operation occupies its slot in the queue until `finish()` is called, so every code path must call `finish()`.
///
/// A subclass must restate `@unchecked Sendable` and synchronize access to its stored properties, because
/// ``execute()``, ``didCancel()`` and the code that calls ``finish()`` can run on different threads.
///
/// This class can be `@unchecked Sendable`, because `Operation` is thread-safe and all stored properties of this class
/// are protected by locks.
nonisolated open class AsyncOperation: Operation, @unchecked Sendable {
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

  /// Creates an operation. The operation starts when a queue calls `start()`.
  public override init() {
    super.init()
  }

  /// Performs the work of the operation, or starts work that continues after the method has returned. Call ``finish()``
  /// when the work is done.
  ///
  /// This method is called on one of the queue's threads, so return quickly. The default implementation calls
  /// ``finish()`` immediately.
  open func execute() {
    finish()
  }

  /// Stops the work that ``execute()`` started. After a cancellation, you must still call ``finish()``, either in this
  /// method or when the work has stopped.
  ///
  /// If ``execute()`` has returned, this method is called on the thread that calls ``cancel()``. Otherwise, it is
  /// called on the queue's thread when ``execute()`` returns. The default implementation does nothing.
  open func didCancel() {}

  /// Ends the operation and lets the operations that depend on it start. Only the first call has an effect. If you call
  /// this method before the operation starts, ``execute()`` is never called.
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

  /// Cancels the operation. If the operation has not started, ``execute()`` is never called. If the operation is
  /// executing, ``didCancel()`` is called.
  ///
  /// The subclass determines how the operation responds to the cancellation. An operation that is about to finish can
  /// still succeed.
  open override func cancel() {
    super.cancel()
    if stage.withLock({ $0.cancel() }) { didCancel() }
  }

  /// The current progress.
  public final var progress: OperationProgress { observers.withLock { $0.progress } }

  /// Reports the current progress of the operation. Call this method in a subclass or in code that the subclass runs.
  public final func report(_ progress: OperationProgress) {
    let callbacks = observers.withLock { observers in
      observers.progress = progress
      return observers.onProgress
    }
    for callback in callbacks { callback(progress) }
  }

  /// Registers a function that is called whenever progress is reported, until the operation ends. The function is
  /// called on the thread that reports the progress.
  public final func onProgress(_ tell: @escaping @Sendable (OperationProgress) -> Void) {
    observers.withLock { if !$0.hasEnded { $0.onProgress.append(tell) } }
  }

  /// Waits until the operation has ended, whether it succeeded, failed or was cancelled.
  ///
  /// If the operation is never started, it never ends, and this method never returns. If the waiting task is cancelled,
  /// the operation continues, and so does the wait. If you use `OperationQueue.run(_:)` instead, cancelling the task
  /// cancels the operation, and the wait ends when the operation has ended.
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

  /// Starts the operation. The queue calls this method once. The implementation does not call `super.start()`, because
  /// an asynchronous operation must not call it.
  public final override func start() {
    switch change({ $0.start(isCancelled: $1) }, ends: false) {
    case .ignore: return
    case .finish: finish()
    case .execute:
      execute()
      if stage.withLock({ $0.didExecute() }) { didCancel() }
    }
  }

  /// Does nothing and is never called. Override ``execute()`` instead.
  public final override func main() {}

  /// Always true, because the operation can continue after `start()` has returned.
  public final override var isAsynchronous: Bool { true }
  /// Whether the operation has started but not yet ended.
  public final override var isExecuting: Bool { stage.withLock { $0.isExecuting } }
  /// Whether the operation has ended, with or without success.
  public final override var isFinished: Bool { stage.withLock { $0.isFinished } }

  #if !canImport(Darwin)
  /// Whether all dependencies of the operation have ended. If the queue may have missed the end of the last dependency,
  /// reading this property makes the queue check again whether the operation can start.
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
