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
  private var chunks: [Data] = []
  private var waitingBytes = 0
  private var reader: Reader?
  private var phase = Phase.open
  /// Whether enough bytes wait that the sender should pause. True until the reader has taken all of them, so that the
  /// sender is not paused and resumed for each chunk.
  private(set) var isHeldBack = false

  init(pauseAt: Int, highWater: Int) {
    self.pauseAt = pauseAt
    self.highWater = highWater
  }

  mutating func offer(_ chunk: Data) -> (Bool, Action) {
    guard case .open = phase, !chunk.isEmpty else { return (true, Action()) }
    if let reader {
      self.reader = nil
      return (true, Action(resume: (reader, .success(chunk))))
    }
    guard waitingBytes < highWater else {
      defer { isHeldBack = true }
      return (false, Action(pauses: !isHeldBack))
    }
    chunks.append(chunk)
    waitingBytes += chunk.count
    guard waitingBytes >= pauseAt, !isHeldBack else { return (true, Action()) }
    isHeldBack = true
    return (true, Action(pauses: true))
  }

  mutating func finish(_ error: TransportError?) -> Action {
    guard case .open = phase else { return Action() }
    phase = .finished(error)
    isHeldBack = false
    guard let reader else { return Action() }
    self.reader = nil
    return Action(resume: (reader, Self.end(error)))
  }

  mutating func read(_ continuation: Reader) -> Action {
    if case .cancelled = phase { return Action(resume: (continuation, .failure(.cancelled))) }
    guard chunks.isEmpty else {
      let all = chunks.count == 1 ? chunks[0] : Data(chunks.joined())
      chunks.removeAll(keepingCapacity: true)
      waitingBytes = 0
      defer { isHeldBack = false }
      return Action(resume: (continuation, .success(all)), demands: isHeldBack)
    }
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
      if case .finished = phase, !chunks.isEmpty {
        phase = .cancelled
        chunks = []
      }
      return Action()
    }
    phase = .cancelled
    isHeldBack = false
    chunks = []
    defer { reader = nil }
    return Action(resume: reader.map { ($0, .failure(.cancelled)) }, cancels: true)
  }

  private static func end(_ error: TransportError?) -> Result<Data?, TransportError> {
    if let error { .failure(error) } else { .success(nil) }
  }
}
