internal import Foundation

/// The queues of exclusive operations, one per category.
///
/// An operation does not depend on its predecessor but on a marker that ends when the predecessor *and the
/// predecessor's own marker* have ended. A direct dependency would break the order at a cancelled operation, because a
/// cancelled operation does not wait for its predecessors and would let its successor start too early.
final class ExclusionQueues: Sendable {
  static let shared = ExclusionQueues()

  private let lasts = Lock<[OperationCategory: ExclusionMarker]>([:])
  private let markers = OperationQueue()

  /// The number of categories with an operation that has not ended.
  var count: Int { lasts.withLock { $0.count } }

  /// Appends the operation to the queue of every category and makes it wait for its predecessors.
  func enter(_ operation: Operation, _ categories: Set<OperationCategory>) {
    guard !categories.isEmpty else { return }
    let marker = ExclusionMarker { [self] marker in leave(marker, categories) }
    // All categories are updated in one step, so two operations with two categories in common never wait for each
    // other.
    let before = lasts.withLock { lasts in
      categories.compactMap { lasts.updateValue(marker, forKey: $0) }
    }
    marker.addDependency(operation)
    for last in before {
      operation.addDependency(last)
      marker.addDependency(last)
    }
    markers.addOperation(marker)
  }

  private func leave(_ marker: ExclusionMarker, _ categories: Set<OperationCategory>) {
    lasts.withLock { lasts in
      for category in categories where lasts[category] === marker { lasts[category] = nil }
    }
  }
}

/// A position in a queue. It cannot be cancelled.
///
/// `@unchecked Sendable`: its stored properties are constant.
final class ExclusionMarker: AsyncOperation, @unchecked Sendable {
  private let passed: @Sendable (ExclusionMarker) -> Void

  init(passed: @escaping @Sendable (ExclusionMarker) -> Void) {
    self.passed = passed
    super.init()
  }

  override func cancel() {}

  override func execute() {
    passed(self)
    // Each marker retains its predecessor. Without this, a busy queue would retain every past marker.
    for dependency in dependencies { removeDependency(dependency) }
    finish()
  }
}
