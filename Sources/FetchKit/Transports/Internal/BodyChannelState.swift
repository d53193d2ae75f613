internal import Foundation

/// The state of a ``BodyChannel``. Its methods return the actions to perform and have no side effects.
struct BodyChannelState {
  typealias Reader = CheckedContinuation<Result<Data?, TransportError>, Never>

  struct Action {
    var resume: (Reader, Result<Data?, TransportError>)?
    var pauses = false
    var demands = false
    var cancels = false
  }

  private enum Phase {
    case open
    case finished(TransportError?)
    case cancelled
  }

  private let pauseAt: Int
  private let highWater: Int
  private var waiting = Data()
  private var reader: Reader?
  private var phase = Phase.open
  /// Whether enough bytes wait that the sender should pause. True until the reader has taken all of them, so that the
  /// sender is not paused and resumed for each chunk.
  private(set) var isHeldBack = false

  init(pauseAt: Int, highWater: Int) {
    self.pauseAt = pauseAt
    self.highWater = highWater
  }

  /// Whether a reader waits for bytes that have been accepted.
  var hasDelivery: Bool { reader != nil && !waiting.isEmpty }

  /// Whether too many bytes wait to accept more. The sender is then held back until they have been read.
  mutating func isFull() -> (Bool, Action) {
    guard case .open = phase, waiting.count >= highWater else { return (false, Action()) }
    defer { isHeldBack = true }
    return (true, Action(pauses: !isHeldBack))
  }

  /// Accepts bytes, which `append` adds to those that wait. A waiting reader gets them with ``deliver()``.
  mutating func accept(_ append: (inout Data) -> Void) -> Action {
    guard case .open = phase else { return Action() }
    append(&waiting)
    guard waiting.count >= pauseAt, reader == nil, !isHeldBack else { return Action() }
    isHeldBack = true
    return Action(pauses: true)
  }

  /// Passes the bytes that wait to a waiting reader.
  mutating func deliver() -> Action {
    guard hasDelivery, let reader else { return Action() }
    self.reader = nil
    return take(for: reader)
  }

  mutating func finish(_ error: TransportError?) -> Action {
    guard case .open = phase else { return Action() }
    phase = .finished(error)
    isHeldBack = false
    if case .cancelled = error { waiting = Data() }
    guard let reader else { return Action() }
    self.reader = nil
    return waiting.isEmpty ? Action(resume: (reader, Self.end(error))) : take(for: reader)
  }

  mutating func read(_ continuation: Reader) -> Action {
    if case .cancelled = phase { return Action(resume: (continuation, .failure(.cancelled))) }
    guard waiting.isEmpty else { return take(for: continuation) }
    if case .finished(let error) = phase { return Action(resume: (continuation, Self.end(error))) }
    if let earlier = reader {
      reader = continuation
      return Action(resume: (earlier, .failure(.invalidRequest(reason: "a body allows only one reader"))))
    }
    reader = continuation
    return Action()
  }

  mutating func cancel() -> Action {
    guard case .open = phase else {
      if case .finished = phase, !waiting.isEmpty {
        phase = .cancelled
        waiting = Data()
      }
      return Action()
    }
    phase = .cancelled
    isHeldBack = false
    waiting = Data()
    defer { reader = nil }
    return Action(resume: reader.map { ($0, .failure(.cancelled)) }, cancels: true)
  }

  private mutating func take(for reader: Reader) -> Action {
    defer { (waiting, isHeldBack) = (Data(), false) }
    return Action(resume: (reader, .success(waiting)), demands: isHeldBack)
  }

  private static func end(_ error: TransportError?) -> Result<Data?, TransportError> {
    if let error { .failure(error) } else { .success(nil) }
  }
}
