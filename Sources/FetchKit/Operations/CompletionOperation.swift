public import Foundation

/// Runs a block once all the operations it depends on have ended, however they ended: done, failed or cancelled.
///
/// ```swift
/// let done = CompletionOperation(after: updates) { @MainActor in completionHandler(.newData) }
/// queue.addOperations(updates + [done])
/// ```
///
/// The block runs exactly once. To keep that promise the operation cannot be cancelled: `cancelAllOperations()` of its
/// queue ends what it waits for, and so brings it about sooner. Foundation starts a cancelled operation without regard
/// to its dependencies, which is why the block of an ordinary one may run too early or never.
///
/// ``AsyncOperation/progress`` counts the dependencies that have ended.
///
/// `@unchecked Sendable`: what it stores is constant or behind a lock.
public final class CompletionOperation: AsyncOperation, @unchecked Sendable {
  private let block: @isolated(any) @Sendable () async -> Void
  private let count = Lock((ended: 0, of: 0, isComplete: false))

  /// An operation that depends on the given ones; `addDependency(_:)` adds more until it runs.
  ///
  /// - Parameters:
  ///   - dependencies: What has to end first.
  ///   - block: Called once, in its own isolation. The operation has ended when it returned.
  public init(after dependencies: [Operation] = [], _ block: @escaping @isolated(any) @Sendable () async -> Void) {
    self.block = block
    super.init()
    for dependency in dependencies { addDependency(dependency) }
  }

  /// Makes it wait for one more operation.
  public override func addDependency(_ operation: Operation) {
    super.addDependency(operation)
    count.withLock { $0.of += 1 }
    guard let operation = operation as? AsyncOperation else { return }
    operation.whenEnded { [weak self] in self?.tell { $0.ended += 1 } }
  }

  /// Does nothing: see the type's description.
  public override func cancel() {}

  /// Runs the block.
  public override func execute() {
    // A dependency lets this operation start before it tells its own end.
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
