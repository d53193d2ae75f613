public import Foundation

extension OperationQueue {
  /// Adds an operation to the queue and to the given categories. Two operations that share a category never run at the
  /// same time, even on different queues.
  ///
  /// Operations that share a category run in the order in which they were added. If an operation is cancelled while it
  /// is waiting, the operations added after it still wait for the operations added before it. An operation must not
  /// depend, directly or indirectly, on an operation that is added to the same category later, because the two
  /// operations would wait for each other indefinitely.
  ///
  /// - Complexity: O(*n*), where *n* is the number of categories.
  public func addOperation(_ operation: Operation, exclusively categories: OperationCategory...) {
    addOperation(operation, exclusively: Set(categories))
  }

  /// Adds an operation to the queue and to the given categories. Two operations that share a category never run at the
  /// same time, even on different queues.
  public func addOperation(_ operation: Operation, exclusively categories: Set<OperationCategory>) {
    ExclusionQueues.shared.enter(operation, categories)
    addOperation(operation)
  }
}
