public import Foundation

/// An operation that runs a block after all its dependencies have ended, even if some of them failed or were cancelled.
///
/// ```swift
/// let done = CompletionOperation(after: updates) { @MainActor in
///   completionHandler(.newData)
/// }
/// queue.addOperations(updates + [done])
/// ```
///
/// The block runs exactly once, because the operation cannot be cancelled. Calling `cancelAllOperations()` on its queue
/// cancels only the other operations. If the queue also contains the dependencies, they are cancelled too, so the block
/// runs sooner. The block of an ordinary operation could run too early or not at all, because Foundation starts a
/// cancelled operation without waiting for its dependencies.
///
/// ``AsyncOperation/progress`` counts the dependencies that have ended. A dependency that is not an ``AsyncOperation``
/// is counted only after all dependencies have ended.
///
/// The class is `@unchecked Sendable` because its stored properties are constant or protected by a lock.
public final class CompletionOperation: AsyncOperation, @unchecked Sendable {
  private let block: @isolated(any) @Sendable () async -> Void
  private let count = Lock((ended: 0, of: 0, isComplete: false))

  /// Creates an operation that depends on the given operations. To add more dependencies before the operation runs, use
  /// `addDependency(_:)`.
  ///
  /// - Parameters:
  ///   - dependencies: The operations that must end before the block runs.
  ///   - block: A closure that is called once, on the actor that it is isolated to, if any. The operation ends when the
  ///     block returns.
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
