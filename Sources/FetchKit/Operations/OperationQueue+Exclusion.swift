public import Foundation

extension OperationQueue {
  /// Adds an operation that never runs at the same time as any other operation that shares one of its categories, even
  /// on a different queue.
  ///
  /// The operations run in the order in which they were added. If a waiting operation is cancelled, its successor still
  /// waits for all running operations. The operation must not depend, directly or indirectly, on an operation that is
  /// added to the same category later, because neither would ever run.
  ///
  /// - Complexity: Constant for each category.
  public func addOperation(_ operation: Operation, exclusively categories: OperationCategory...) {
    addOperation(operation, exclusively: Set(categories))
  }

  /// Adds an operation that never runs at the same time as any other operation that shares one of its categories, even
  /// on a different queue.
  public func addOperation(_ operation: Operation, exclusively categories: Set<OperationCategory>) {
    ExclusionQueues.shared.enter(operation, categories)
    addOperation(operation)
  }
}
