internal import FetchKit

/// Holds answers of a ``LoopbackServer`` back until a test opens it.
///
/// ```swift
/// let gate = LoopbackGate()
/// server.on("/slow", .text("late").held(at: gate))
/// // … the request is under way, and stays so …
/// gate.open()
/// ```
public final class LoopbackGate: Sendable {
  private struct State {
    var isOpen = false
    var isReached = false
    var waiting: [@Sendable () -> Void] = []
  }

  private let state = Lock(State())

  /// A closed gate.
  public init() {}

  /// Whether an answer has come to it.
  public var isReached: Bool { state.withLock(\.isReached) }

  /// Lets through what waits and what comes later. Opening an open gate does nothing.
  public func open() {
    let waiting = state.withLock { state in
      defer { state.waiting = [] }
      state.isOpen = true
      return state.waiting
    }
    for proceed in waiting { proceed() }
  }

  func whenOpen(_ proceed: @escaping @Sendable () -> Void) {
    let isOpen = state.withLock { state in
      state.isReached = true
      if !state.isOpen { state.waiting.append(proceed) }
      return state.isOpen
    }
    if isOpen { proceed() }
  }
}
