public import Foundation

extension OperationQueue {
  /// Adds an operation that is not at work at the same time as any other of the same categories, on whichever queue.
  ///
  /// They run in the order they were added. A cancelled operation leaves the line without letting the next one past
  /// those that are still at work. The operation may not depend, in any roundabout way, on one that is added to the
  /// same category later: neither would ever run.
  ///
  /// - Complexity: constant per category.
  public func addOperation(_ operation: Operation, exclusively categories: OperationCategory...) {
    addOperation(operation, exclusively: Set(categories))
  }

  /// Adds an operation that is not at work at the same time as any other of the same categories, on whichever queue.
  public func addOperation(_ operation: Operation, exclusively categories: Set<OperationCategory>) {
    ExclusionLines.shared.enter(operation, categories)
    addOperation(operation)
  }
}
