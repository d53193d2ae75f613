public import Foundation

/// Runs a block once all the operations it depends on have ended, however they ended: done, failed or cancelled.
///
/// ```swift
/// let done = CompletionOperation(after: updates) { @MainActor in completionHandler(.newData) }
/// queue.addOperations(updates + [done])
/// ```
///
/// The block runs exactly once. To keep that promise the operation cannot be cancelled: `cancelAllOperations()` of its
/// queue ends what it waits for, and so brings it about sooner. Foundation starts a cancelled operation without regard to
/// its dependencies, which is why the block of an ordinary one may run too early or never.
///
/// ``AsyncOperation/progress`` counts the dependencies that have ended.
///
/// `@unchecked Sendable`: what it stores is constant or behind a lock.
public final class CompletionOperation: AsyncOperation, @unchecked Sendable {
  private let block: @isolated(any) @Sendable () async -> Void
  private let count = Lock(OperationProgress(completed: 0, total: 0))

  /// An operation that depends on the given ones; ``Foundation/Operation/addDependency(_:)`` adds more until it runs.
  ///
  /// - Parameter block: Called once, in its own isolation. The operation has ended when it returned.
  public init(after dependencies: [Operation] = [], _ block: @escaping @isolated(any) @Sendable () async -> Void) {
    self.block = block
    super.init()
    for dependency in dependencies { addDependency(dependency) }
  }

  /// Makes it wait for one more operation.
  public override func addDependency(_ operation: Operation) {
    super.addDependency(operation)
    count.withLock { $0.total = ($0.total ?? 0) + 1 }
    guard let operation = operation as? AsyncOperation else { return }
    operation.whenEnded { [weak self] in
      guard let self else { return }
      report(
        count.withLock { count in
          count.completed += 1
          return count
        })
    }
  }

  /// Does nothing: see the type's description.
  public override func cancel() {}

  /// Runs the block.
  public override func execute() {
    Task {
      await block()
      finish()
    }
  }
}
