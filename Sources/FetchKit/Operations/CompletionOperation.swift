public import Foundation

/// An operation that runs a block after all the operations it depends on have finished, failed or been cancelled.
///
/// ```swift
/// let done = CompletionOperation(after: updates) { @MainActor in
///   completionHandler(.newData)
/// }
/// queue.addOperations(updates + [done])
/// ```
///
/// The block runs exactly once. To guarantee this, the operation cannot be cancelled. Calling `cancelAllOperations()`
/// on its queue cancels its dependencies, so the block runs sooner. Foundation starts a cancelled operation regardless
/// of its dependencies, so an ordinary operation's block can run too early or not at all.
///
/// ``AsyncOperation/progress`` counts the dependencies that have ended. A dependency that is not an ``AsyncOperation``
/// is counted only when all dependencies have ended.
///
/// The class is `@unchecked Sendable` because its stored properties are constant or protected by a lock.
public final class CompletionOperation: AsyncOperation, @unchecked Sendable {
  private let block: @isolated(any) @Sendable () async -> Void
  private let count = Lock((ended: 0, of: 0, isComplete: false))

  /// Creates an operation that depends on the given operations. To add more dependencies before it runs, use
  /// `addDependency(_:)`.
  ///
  /// - Parameters:
  ///   - dependencies: The operations that must end first.
  ///   - block: A closure that is called once, in its own isolation. The operation ends when the block returns.
  public init(after dependencies: [Operation] = [], _ block: @escaping @isolated(any) @Sendable () async -> Void) {
    self.block = block
    super.init()
    for dependency in dependencies { addDependency(dependency) }
  }

  /// Adds a dependency.
  public override func addDependency(_ operation: Operation) {
    super.addDependency(operation)
    count.withLock { $0.of += 1 }
    guard let operation = operation as? AsyncOperation else { return }
    operation.whenEnded { [weak self] in self?.tell { $0.ended += 1 } }
  }

  /// Does nothing, because the block must always run.
  public override func cancel() {}

  /// Runs the block.
  public override func execute() {
    // A dependency can let this operation start before it reports its own end.
    tell { $0 = ($0.of, $0.of, true) }
    Task {
      await block()
      finish()
    }
  }

  private func tell(_ change: (inout (ended: Int, of: Int, isComplete: Bool)) -> Void) {
    let progress = count.withLock { count -> OperationProgress? in
      guard !count.isComplete else { return nil }
      change(&count)
      return OperationProgress(completed: Int64(count.ended), total: Int64(count.of))
    }
    if let progress { report(progress) }
  }
}
