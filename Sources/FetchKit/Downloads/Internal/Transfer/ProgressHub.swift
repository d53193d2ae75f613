/// Hands the progress of all downloads to whoever wants to see it.
final class ProgressHub: Sendable {
  private struct State {
    var last: [String: DownloadProgress] = [:]
    var streams: [Int: (name: String, continuation: AsyncStream<DownloadProgress>.Continuation)] = [:]
    var observer: (@Sendable (DownloadProgress) -> Void)?
    var nextStream = 0
  }

  private let state = Lock(State())

  /// The newest progress of one download; what is not taken in time is replaced. Ends with the download.
  func stream(of name: String) -> AsyncStream<DownloadProgress> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: DownloadProgress.self, bufferingPolicy: .bufferingNewest(1))
    let (number, last) = state.withLock { state in
      state.nextStream += 1
      state.streams[state.nextStream] = (name, continuation)
      return (state.nextStream, state.last[name])
    }
    continuation.onTermination = { [weak self] _ in self?.state.withLock { $0.streams[number] = nil } }
    if let last { continuation.yield(last) }
    return stream
  }

  func observe(_ observer: (@Sendable (DownloadProgress) -> Void)?) {
    state.withLock { $0.observer = observer }
  }

  func received(of name: String) -> Int64? {
    state.withLock { $0.last[name]?.receivedBytes }
  }

  func tell(_ progress: DownloadProgress) {
    let (continuations, observer) = state.withLock { state in
      state.last[progress.name] = progress
      return (state.streams.values.filter { $0.name == progress.name }.map(\.continuation), state.observer)
    }
    for continuation in continuations { continuation.yield(progress) }
    observer?(progress)
  }

  /// The download will go no further; nil for all of them.
  func end(_ name: String?) {
    let continuations = state.withLock { state in
      if let name { state.last[name] = nil } else { state.last = [:] }
      return state.streams.values.filter { name == nil || $0.name == name }.map(\.continuation)
    }
    for continuation in continuations { continuation.finish() }
  }
}
