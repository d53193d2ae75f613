internal import FetchKit

/// A gate that holds back responses from a ``LoopbackServer`` until a test opens the gate.
///
/// ```swift
/// let gate = LoopbackGate()
/// server.on("/slow", .text("late").held(at: gate))
/// // … the request is in progress and stays so …
/// gate.open()
/// ```
public final class LoopbackGate: Sendable {
  private struct State {
    var isOpen = false
    var isReached = false
    var waiting: [@Sendable () -> Void] = []
  }

  private let state = Lock(State())

  /// Creates a closed gate.
  public init() {}

  /// Whether a response has reached the gate.
  public var isReached: Bool { state.withLock(\.isReached) }

  /// Releases the responses that are waiting and lets later responses pass. Opening a gate that is already open has no
  /// effect.
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
