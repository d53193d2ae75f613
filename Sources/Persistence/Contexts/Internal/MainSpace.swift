internal import Dispatch

/// Holds the object space of the main actor's context.
///
/// `@unchecked Sendable`: only its context reads and sets `space`, on the main actor. Objects that are still in use
/// there are notified when the space ends. The space is therefore released on the main queue, wherever the last
/// reference to the container is dropped.
final class MainSpace: @unchecked Sendable {
  var space: ObjectSpace?

  deinit {
    guard let space, !MainQueue.isCurrent else { return }
    let last = Last(space: space)
    self.space = nil
    DispatchQueue.main.async { last.release() }
  }

  /// `@unchecked Sendable`: handed over a single time, for release.
  private final class Last: @unchecked Sendable {
    private var space: ObjectSpace?

    init(space: ObjectSpace) { self.space = space }

    func release() { space = nil }
  }
}
