internal import Foundation

/// One line per category of exclusive operations.
///
/// An operation does not depend on the one before it but on a marker, which ends when that operation *and its own
/// marker* have ended. A direct dependency would break the line at a cancelled operation: that one does not wait for
/// what is before it, and would let the next one start too early.
final class ExclusionLines: Sendable {
  static let shared = ExclusionLines()

  private let lasts = Lock<[OperationCategory: ExclusionMarker]>([:])
  private let markers = OperationQueue()

  /// How many categories have an operation that has not ended.
  var count: Int { lasts.withLock { $0.count } }

  /// Makes the operation wait for those in line, and puts it last.
  func enter(_ operation: Operation, _ categories: Set<OperationCategory>) {
    guard !categories.isEmpty else { return }
    let marker = ExclusionMarker { [self] marker in leave(marker, categories) }
    // All categories in one step: two operations with two categories in common never wait for each other.
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

/// A place in a line; it cannot be cancelled.
///
/// `@unchecked Sendable`: what it stores is constant.
final class ExclusionMarker: AsyncOperation, @unchecked Sendable {
  private let passed: @Sendable (ExclusionMarker) -> Void

  init(passed: @escaping @Sendable (ExclusionMarker) -> Void) {
    self.passed = passed
    super.init()
  }

  override func cancel() {}

  override func execute() {
    passed(self)
    // Each marker knows the one before: without this a busy line would keep all that ever stood in it.
    for dependency in dependencies { removeDependency(dependency) }
    finish()
  }
}
