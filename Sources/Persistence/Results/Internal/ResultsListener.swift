/// Buffers the updates that a consumer has not received yet.
final class ResultsListener: Sendable {
  private struct State {
    var buffer = CollapsingBuffer<(rows: ResultsRows, difference: RowsDifference)>(limit: 16)
    /// The last rows that the consumer received.
    var taken: ResultsRows
  }

  let signals: AsyncStream<Void>
  let core: ResultsCore
  private let state: Lock<State>

  init(_ core: ResultsCore) {
    self.core = core
    let (signals, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    self.signals = signals
    let state = Lock(State(taken: core.rows))
    self.state = state
    let listener = ResultsCore.Listener { event in
      if case .end = event { continuation.finish() }
      guard case .update(_, let rows, let difference) = event else { return }
      state.withLock { state in
        let taken = state.taken
        state.buffer.append((rows, difference)) { waiting in
          (rows, RowsDifference(joining: waiting.map(\.difference), from: taken, to: rows))
        }
      }
      continuation.yield()
    }
    let rows = core.add(self, listener)
    // Updates that arrived in the meantime are already in the buffer, and follow this one.
    state.withLock { state in
      state.taken = rows
      state.buffer.prepend((rows, RowsDifference(removed: [], inserted: [], touched: [])))
    }
    continuation.yield()
  }

  deinit { core.remove(ObjectIdentifier(self)) }

  func take() -> (rows: ResultsRows, difference: RowsDifference)? {
    state.withLock { state in
      let next = state.buffer.take()
      if let next { state.taken = next.rows }
      return next
    }
  }
}
