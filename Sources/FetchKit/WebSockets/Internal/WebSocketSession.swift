internal import Foundation

/// The connections of a ``WebSocket``, one after the other. A task opens each of them; readers and senders wait for it.
final class WebSocketSession: Sendable {
  private struct State {
    enum Phase {
      case idle
      case connecting
      case open(WebSocketLink)
      /// Ended by the server or by this side, or with an error.
      case ended(FetchError?)
    }

    var phase = Phase.idle
    var connector: Task<Void, Never>?
    /// From the first connection on.
    var open: OpenFetch?
    var openedAt = Duration.zero
    /// The last message that marks a position.
    var last: WebSocketMessage?
    /// Whether the sequence delivers a gap before the messages of the open connection.
    var hasGap = false
    /// What a lost connection had received and the reader had not read, when a sender noticed the loss.
    var backlog = FIFO<WebSocketMessage>()
    /// The last message of the backlog that marks a position.
    var lastOfBacklog: WebSocketMessage?
    var isClosing = false
    /// How many tasks wait for a message of the open connection.
    var readers = 0
    var reconnection: ReconnectionState
    var log: UnconfirmedLog
    /// The difference between the numbers of the log and those of the connection, which also counts what prepared it.
    var base = 0
  }

  private let request: HTTPRequest
  private let configuration: WebSocketConfiguration
  private let pipeline: Pipeline
  private let state: AsyncCondition<State>
  /// Taken to send, so that messages are recorded in the order in which they are sent. Its state is not used, but has a
  /// size: the thread sanitizer takes that of nothing for the object's own.
  private let sending = Lock(false)

  init(_ request: HTTPRequest, _ configuration: WebSocketConfiguration, _ pipeline: Pipeline) {
    self.request = request
    self.configuration = configuration
    self.pipeline = pipeline
    state = AsyncCondition(
      State(
        reconnection: ReconnectionState(configuration.reconnection),
        log: UnconfirmedLog(limit: configuration.unconfirmedBytes)))
  }

  private var context: FetchError.Context { pipeline.context(of: request) }

  // MARK: Reading and sending

  func next() async throws(FetchError) -> WebSocketEvent? {
    while true {
      guard !Task.isCancelled, let link = beginReading() else {
        let current: Result<WebSocketLink?, FetchError>
        do throws(FetchError) { current = .success(try await link()) } catch { current = .failure(error) }
        // Also after the end, which a sender may have noticed.
        if let event = leftOver() { return event }
        guard try current.get() != nil else { return nil }
        continue
      }
      defer { state.change { $0.readers -= 1 } }
      do throws(WebSocketError) {
        return .message(note(try await link.next()))
      } catch {
        if error == .cancelled, Task.isCancelled { throw .cancelled(context) }
        noteLoss(of: link, error, byReader: true)
      }
    }
  }

  /// Returns the open connection, unless something has to be delivered before its messages. While a task reads, what it
  /// has not read is not kept by others: the messages would change their order.
  private func beginReading() -> WebSocketLink? {
    state.change { state in
      guard case .open(let link) = state.phase, state.backlog.isEmpty, !state.hasGap else { return nil }
      state.readers += 1
      return link
    }
  }

  /// What has to be delivered before the messages of the current connection.
  private func leftOver() -> WebSocketEvent? {
    if let message = state.change({ $0.backlog.popFirst() }) { return .message(note(message)) }
    return takeGap()
  }

  private func note(_ message: WebSocketMessage) -> WebSocketMessage {
    if configuration.marksPosition(message) { state.change { $0.last = message } }
    return message
  }

  private func takeGap() -> WebSocketEvent? {
    state.change { state in
      guard state.hasGap else { return nil }
      state.hasGap = false
      return .gap(since: state.last, unconfirmed: state.log.takeEarlier())
    }
  }

  func send(_ message: WebSocketMessage) async throws(FetchError) -> WebSocketReceipt {
    while let link = try await link() {
      let sent = sending.withLock { _ in
        Result { () throws(WebSocketError) in
          let count = try link.connection.enqueue(message)
          return state.change { state in
            // The count of the connection includes what prepared it.
            state.base = state.log.count + 1 - count
            return state.log.append(message)
          }
        }
      }
      switch sent {
      case .success(let number):
        await link.connection.waitForRoom()
        return WebSocketReceipt(number: number)
      case .failure(let error): noteLoss(of: link, error, byReader: false)  // it was not sent
      }
    }
    throw closed
  }

  /// The error of a call after a normal end.
  private var closed: FetchError { .socket(.closed(WebSocketClosure()), context) }

  func confirm(through receipt: WebSocketReceipt) {
    state.change { $0.log.confirm(through: receipt.number) }
  }

  /// Returns the open connection, once there is one that this side does not close.
  func usableLink() async throws(FetchError) -> WebSocketLink {
    while let link = try await link(), !state.change(\.isClosing) {
      guard let error = link.connection.end else { return link }
      noteLoss(of: link, error, byReader: false)
    }
    throw closed
  }

  func ping() async throws(FetchError) {
    let link = try await usableLink()
    do throws(WebSocketError) {
      try await link.connection.ping()
    } catch {
      throw error == .cancelled && Task.isCancelled ? .cancelled(context) : .socket(error, context)
    }
  }

  func close(_ closure: WebSocketClosure) async throws(FetchError) {
    guard closure.isSendable else { throw .socket(.invalidClosure, context) }
    let (link, connector) = state.change { state -> (WebSocketLink?, Task<Void, Never>?) in
      state.isClosing = true
      if case .open(let link) = state.phase { return (link, nil) }
      if case .ended = state.phase { return (nil, nil) }
      state.phase = .ended(nil)
      return (nil, state.connector)
    }
    connector?.cancel()
    guard let link else { return end(nil) }
    do throws(WebSocketError) { try await link.connection.close(closure) } catch { throw .socket(error, context) }
    // The reader can still get what has been received.
    link.releasePermit()
    state.change { state in
      defer { state.open = nil }
      return state.open
    }?.end()
  }

  /// Ends everything at once.
  func cancel() {
    let connector = state.change { state in
      defer { state.connector = nil }
      return state.connector
    }
    connector?.cancel()
    end(.cancelled(context))
  }

  // MARK: Connections

  /// Returns the open connection, once there is one; nil after a normal end.
  func link() async throws(FetchError) -> WebSocketLink? {
    while true {
      guard !Task.isCancelled else { throw .cancelled(context) }
      if case .open(let link) = state.change({ $0.phase }) { return link }
      try begin()
      await state.wait { if case .connecting = $0.phase { false } else { true } }
      switch state.change(\.phase) {
      case .open(let link): return link
      case .ended(nil): return nil
      case .ended(let error?): throw error
      case .idle, .connecting: continue  // cancelled, or lost again
      }
    }
  }

  private func begin() throws(FetchError) {
    guard case .idle = state.change(\.phase) else { return }
    let open = try pipeline.begin(request)
    let isFirst = state.change { state in
      guard case .idle = state.phase else { return false }
      state.phase = .connecting
      state.open = open
      state.connector = Task { await self.connect(after: nil, within: open) }
      return true
    }
    if !isFirst { open.end() }
  }

  /// - Parameter byReader: Whether everything that the link had received has been read.
  private func noteLoss(of link: WebSocketLink, _ error: WebSocketError, byReader: Bool) {
    sending.withLock { _ in
      state.change { state in
        guard case .open(let current) = state.phase, current === link else { return }
        state.log.confirmByPing(through: state.base + link.connection.confirmedCount)
        state.reconnection.noteConnection(isResumed: false, openFor: pipeline.time.now() - state.openedAt)
        let isNormal =
          if case .closed(let closure) = error { closure.code == .normal || closure.code == .noStatus } else { false }
        let failure = state.isClosing || isNormal ? nil : FetchError.socket(error, context)
        state.phase = .connecting
        state.connector = Task { [open = state.open] in
          if !byReader { await self.keepUnread(of: link) }
          guard let failure, let open else { return self.end(failure) }
          await self.connect(after: failure, within: open)
        }
      }
    }
  }

  /// Keeps what a lost link has received. It has ended, so this does not wait for messages.
  private func keepUnread(of link: WebSocketLink) async {
    await state.wait { $0.readers == 0 }
    while let message = try? await link.next() {
      let marks = configuration.marksPosition(message)
      state.change { state in
        state.backlog.append(message)
        if marks { state.lastOfBacklog = message }
      }
    }
  }

  private func connect(after failure: FetchError?, within open: OpenFetch) async {
    let isFirst = failure == nil
    var failure = failure
    while !Task.isCancelled {
      if let cause = failure {
        let random = pipeline.configuration.random()
        let now = pipeline.configuration.date()
        let delay = state.change { $0.reconnection.delay(after: cause, random: random, now: now) }
        guard let delay else { return end(cause) }
        guard (try? await OpenFetch?(open).run { [time = pipeline.time] in try await time.sleep(delay) }) != nil else {
          return end(.cancelled(context))
        }
      }
      do throws(FetchError) {
        let (connection, permit) = try await pipeline.socket(request, configuration.options, within: open)
        let link = WebSocketLink(
          connection, permit, limit: configuration.options.receiveBuffer, state.change(\.log.all))
        guard open.wait.ends(by: { [weak self] in self?.cancel() }) else {
          link.connection.cancel()
          throw .cancelled(context)
        }
        let resumption = try await resumption(on: link)
        let isTaken = state.change { state in
          guard case .connecting = state.phase else { return false }
          state.phase = .open(link)
          state.connector = nil  // a task keeps its memory, which is much, as long as it is referenced
          state.openedAt = pipeline.time.now()
          if resumption == .resumed { state.reconnection.noteConnection(isResumed: true, openFor: .zero) }
          if !isFirst, resumption == .gap { state.hasGap = true }
          let (isSettled, sentCount) = link.endPreparation()
          state.log.beginConnection(isSettled: isSettled)
          state.base = state.log.count - sentCount
          return true
        }
        if !isTaken { link.connection.cancel() }
        return
      } catch {
        guard !isFirst, !open.isCancelled else { return end(error) }
        failure = error
      }
    }
    end(.cancelled(context))
  }

  private func resumption(on link: WebSocketLink) async throws(FetchError) -> WebSocketResumption {
    do {
      return try await withTimeout(configuration.resumeTimeout, pipeline.time) {
        [configuration, last = state.change { $0.backlog.isEmpty ? $0.last : $0.lastOfBacklog ?? $0.last }] in
        try await configuration.resume(link, last)
      }
    } catch {
      link.connection.cancel()
      throw switch error {
      case is TimeoutError: .timeout(.idle, context)
      case let error as FetchError: error
      case let error as WebSocketError: .socket(error, context)
      case is CancellationError where Task.isCancelled: .cancelled(context)
      default: .interceptor(error, context)
      }
    }
  }

  /// Ends for all who wait. The first end counts.
  private func end(_ error: FetchError?) {
    let (link, open) = state.change { state -> (WebSocketLink?, OpenFetch?) in
      var link: WebSocketLink?
      switch state.phase {
      case .ended: break
      case .open(let current):
        link = current
        state.phase = .ended(error)
      case .idle, .connecting: state.phase = .ended(error)
      }
      defer { (state.open, state.connector) = (nil, nil) }
      return (link, state.open)
    }
    link?.connection.cancel()
    open?.end()
  }
}
