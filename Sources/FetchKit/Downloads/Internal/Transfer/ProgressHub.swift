/// Distributes the progress of all downloads to its observers.
final class ProgressHub: Sendable {
  typealias ID = DownloadStateMachine.ID
  typealias Continuation = AsyncStream<DownloadProgress>.Continuation

  private struct State {
    /// The last progress of each download whose transfer is running.
    var last: [ID: DownloadProgress] = [:]
    var streams: [Int: (id: ID, continuation: Continuation)] = [:]
    var observer: (@Sendable (DownloadProgress) -> Void)?
    var nextStream = 0
  }

  private let state = Lock(State())

  /// The progress of one download. A value that is not read in time is replaced by the next one. Ends with the
  /// download.
  func stream(of id: ID) -> AsyncStream<DownloadProgress> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: DownloadProgress.self, bufferingPolicy: .bufferingNewest(1))
    let (number, last) = state.withLock { state in
      state.nextStream += 1
      state.streams[state.nextStream] = (id, continuation)
      return (state.nextStream, state.last[id])
    }
    continuation.onTermination = { [weak self] _ in self?.state.withLock { $0.streams[number] = nil } }
    if let last { continuation.yield(last) }
    return stream
  }

  func observe(_ observer: (@Sendable (DownloadProgress) -> Void)?) {
    state.withLock { $0.observer = observer }
  }

  func received(of id: ID) -> Int64? {
    state.withLock { $0.last[id]?.receivedBytes }
  }

  func report(_ progress: DownloadProgress, of id: ID) {
    let (continuations, observer) = state.withLock { state in
      state.last[id] = progress
      return (state.streams.values.filter { $0.id == id }.map(\.continuation), state.observer)
    }
    for continuation in continuations { continuation.yield(progress) }
    observer?(progress)
  }

  /// Clears the progress of a download whose transfer has ended.
  func clear(_ id: ID) {
    state.withLock { $0.last[id] = nil }
  }

  /// Ends the streams of a download, or all streams if nil. The caller finishes the returned continuations.
  func end(_ id: ID?) -> [Continuation] {
    state.withLock { state in
      let ended = state.streams.filter { id == nil || $0.value.id == id }
      for number in ended.keys { state.streams[number] = nil }
      return ended.values.map(\.continuation)
    }
  }
}
