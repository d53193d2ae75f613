internal import Dispatch

/// Holds the space of the main actor's context.
///
/// `@unchecked Sendable`: `space` is read and set by its context alone, on the main actor. Objects that are still in
/// use there hear of the space's end, so it ends there too, wherever the last reference to the container is dropped.
final class MainSpace: @unchecked Sendable {
  var space: ObjectSpace?

  deinit {
    guard let space, !MainQueue.isCurrent else { return }
    let last = Last(space: space)
    self.space = nil
    DispatchQueue.main.async { last.release() }
  }

  /// `@unchecked Sendable`: handed over once, to be released.
  private final class Last: @unchecked Sendable {
    private var space: ObjectSpace?

    init(space: ObjectSpace) { self.space = space }

    func release() { space = nil }
  }
}
