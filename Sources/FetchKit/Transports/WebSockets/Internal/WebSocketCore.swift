internal import Foundation

/// What drives an open WebSocket: a task that reads, answers and closes, and one that pings.
///
/// Both hold the core, and the core holds neither the connection nor the reader: when the connection is released, it
/// cuts the pipe, and the tasks end.
final class WebSocketCore: Sendable {
  struct State {
    var messages = FIFO<WebSocketMessage>()
    /// The bytes of `messages`.
    var waiting = 0
    /// Why no further message comes.
    var end: WebSocketError?
    /// Whether the reader has reached the end.
    var isEndSeen = false
    /// Why nothing more can be sent.
    var sendingEnd: WebSocketError?
    /// Whether the pipe has been closed.
    var isOver = false
    /// Whether this side has begun to close. From then on, messages without room are dropped.
    var isClosing = false
    /// Increases whenever bytes arrive, and when the reader has made room.
    var activity = 0
    /// The number of messages sent, now and before the last answered ping.
    var sentCount = 0
    var confirmedCount = 0
    /// The number of messages sent before the last ping.
    var pingedCount = 0
    /// The ping to answer when there is room.
    var owedPong: Data?
    var lastPing: UInt64 = 0
    var lastPong: UInt64 = 0
    /// The pings without an answer, and how many messages were sent before.
    var pings = FIFO<(number: UInt64, sentCount: Int)>()
  }

  private let options: WebSocketOptions
  let state = AsyncCondition(State())
  private let pipe: any SocketPipe
  private let sender: Lock<WebSocketSender>

  init(_ pipe: any SocketPipe, _ options: WebSocketOptions, _ deflate: DeflateAgreement?) {
    self.pipe = pipe
    self.options = options
    sender = Lock(WebSocketSender(deflate) { UInt32.random(in: .min ... .max) })
  }

  private var time: TimeSource { options.time }

  /// Whether reading waits for the reader of the messages.
  private static func isFull(_ state: State, _ limit: Int) -> Bool {
    state.waiting >= limit && !state.isClosing && state.end == nil
  }

  /// What a message counts beyond its bytes, so that empty ones fill the buffer too.
  private static let overhead = 64

  // MARK: Receiving

  /// Reads until the connection has ended.
  func run(_ first: Data, _ receiver: consuming WebSocketReceiver) async {
    var receiver = receiver
    var bytes = first
    do throws(TransportError) {
      while true {
        bytes.withUnsafeBytes { receiver.receive($0, handle) }
        if receiver.hasEnded { return await end() }
        if state.change({ Self.isFull($0, options.receiveBuffer) }) {
          await state.wait { [limit = options.receiveBuffer] in !Self.isFull($0, limit) }
          state.change { $0.activity += 1 }
        }
        guard let next = try await pipe.read() else {
          finish(.connection(.lost, detail: "the server ended the connection without a closure"))
          break
        }
        bytes = next
        state.change { $0.activity += 1 }
      }
    } catch {
      switch error {
      case .connection(let failure, let detail): finish(.connection(failure, detail: detail))
      case .cancelled: finish(.cancelled)
      default: finish(.connection(.lost, detail: error.description))
      }
    }
    over(isOrderly: false)
  }

  private func handle(_ event: WebSocketReceiver.Event) {
    switch event {
    case .message(let message):
      state.change { state in
        guard !state.isClosing || state.waiting < options.receiveBuffer else { return }
        state.messages.append(message)
        state.waiting += message.byteCount + Self.overhead
      }
    case .ping(let payload): answer(payload)
    case .pong(let payload):
      guard payload.count == 8 else { return }
      let number = payload.reduce(0) { $0 << 8 | UInt64($1) }
      state.change { $0.answerPing(number) }
    case .closed(let closure):
      state.change { if $0.sendingEnd == nil { $0.sendingEnd = .closed(closure) } }
      write { $0.close(WebSocketClosure(closure.code)) }
      finish(.closed(closure))
    case .failed(let error): state.change { if $0.end == nil { $0.end = error } }
    }
  }

  /// Answers a ping. If there is no room, only the last one is answered later (RFC 6455 §5.5.3): reading must not wait
  /// for a server that reads only when it has been read from.
  private func answer(_ ping: Data) {
    guard !pipe.hasRoom else { return _ = write { $0.pong(ping) } }
    let isFirst = state.change { state in
      defer { state.owedPong = ping }
      return state.owedPong == nil
    }
    guard isFirst else { return }
    Task {
      await pipe.waitForRoom()
      let owed = state.change { state in
        defer { state.owedPong = nil }
        return state.owedPong
      }
      if let owed { write { $0.pong(owed) } }
    }
  }

  /// After closures or a violation: the server ends the connection (RFC 6455 §7.1.1), and what it still sends is not
  /// read as messages.
  private func end() async {
    if let error = state.change(\.end), let closure = error.closure {
      // The reader first gets, and can answer, the messages before the violation.
      let alarm = time.after(options.closeTimeout) { [state] in state.change { $0.isEndSeen = true } }
      await state.wait { $0.isEndSeen || $0.isClosing }
      alarm.cancel()
      finish(error)
      write { $0.close(closure) }
    }
    let alarm = time.after(options.closeTimeout) { [pipe] in pipe.close(isOrderly: false) }
    defer { alarm.cancel() }
    while (try? await pipe.read()) != nil {}
    over(isOrderly: true)
  }

  private func finish(_ error: WebSocketError) {
    state.change { state in
      if state.end == nil { state.end = error }
      if state.sendingEnd == nil { state.sendingEnd = error }
    }
  }

  private func over(isOrderly: Bool) {
    pipe.close(isOrderly: isOrderly)
    state.change { $0.isOver = true }
  }

  func receive() async throws(WebSocketError) -> WebSocketMessage {
    while true {
      let result = state.change { state -> Result<WebSocketMessage, WebSocketError>? in
        guard let message = state.messages.popFirst() else {
          if state.end != nil { state.isEndSeen = true }
          return state.end.map { .failure($0) }
        }
        state.waiting -= message.byteCount + Self.overhead
        return .success(message)
      }
      if let result { return try result.get() }
      guard !Task.isCancelled else { throw .cancelled }
      await state.wait { !$0.messages.isEmpty || $0.end != nil }
    }
  }

  // MARK: Sending

  @discardableResult
  private func write(_ frame: (inout WebSocketSender) -> Data?) -> Bool {
    // Under the lock, so that the frames are sent in the order in which they were compressed.
    sender.withLock { sender in
      guard let bytes = frame(&sender) else { return false }
      pipe.write(bytes)
      return true
    }
  }

  private func checkOpen() throws(WebSocketError) {
    if let end = state.change({ $0.sendingEnd }) { throw end }
  }

  func enqueue(_ message: WebSocketMessage) throws(WebSocketError) -> Int {
    try checkOpen()
    var count = 0
    let isSent = write { sender in
      guard let frame = sender.message(message) else { return nil }
      count = state.change { state in
        state.sentCount += 1
        return state.sentCount
      }
      return frame
    }
    guard isSent else { throw state.change(\.sendingEnd) ?? .closed(WebSocketClosure()) }
    return count
  }

  func waitForRoom() async { await pipe.waitForRoom() }

  func ping() async throws(WebSocketError) {
    try checkOpen()
    let number = sendPing()
    await state.wait { $0.lastPong >= number || $0.end != nil }
    try state.change { state in
      state.lastPong >= number ? Result<Void, WebSocketError>.success(()) : .failure(state.end ?? .cancelled)
    }.get()
  }

  @discardableResult
  private func sendPing() -> UInt64 {
    var number: UInt64 = 0
    write { sender in
      number = state.change { state in
        state.lastPing += 1
        state.pings.append((state.lastPing, state.sentCount))
        state.pingedCount = state.sentCount
        return state.lastPing
      }
      return withUnsafeBytes(of: number.bigEndian) { sender.ping(Data($0)) }
    }
    return number
  }

  func close(_ closure: WebSocketClosure) async throws(WebSocketError) {
    guard closure.isSendable else { throw .invalidClosure }
    state.change { $0.isClosing = true }
    write { $0.close(closure) }
    let alarm = time.after(options.closeTimeout) { [pipe] in pipe.close(isOrderly: false) }
    await state.wait(until: \.isOver)
    alarm.cancel()
    if Task.isCancelled { cancel() }
  }

  /// Cuts the connection, unless it is closing. Then it ends on its own. Returns whether it was cut.
  func release() -> Bool {
    let isOpen = state.change { state in
      state.isEndSeen = true
      return state.end == nil && !state.isClosing
    }
    if isOpen { cancel() }
    return isOpen
  }

  func cancel() {
    finish(.cancelled)
    pipe.close(isOrderly: false)
  }

  // MARK: Pings

  /// The header, the mask and the number of a ping.
  private static let pingSize = 14

  /// Pings a silent server, and ends the connection if it does not answer. While this side does not read, it cannot
  /// know whether the server is silent.
  func keepAlive() async {
    guard let interval = options.pingInterval else { return }
    func isSilent(for duration: Duration) async -> Bool {
      let before = state.change(\.activity)
      try? await time.sleep(duration)
      return state.change { [limit = options.receiveBuffer] in $0.activity == before && !Self.isFull($0, limit) }
    }
    while !Task.isCancelled {
      guard await isSilent(for: interval), !Task.isCancelled else {
        // A server that never falls silent is asked too whether messages have arrived.
        if !Task.isCancelled, state.change({ $0.sentCount > $0.pingedCount && $0.end == nil }) { sendPing() }
        continue
      }
      // A ping waits behind what is being sent. As long as that moves, the server lives.
      let (isBehind, sent) = (!pipe.isDrained, pipe.sentCount)
      sendPing()
      guard await isSilent(for: options.pingTimeout), !Task.isCancelled else { continue }
      guard !isBehind || pipe.sentCount <= sent + Self.pingSize else { continue }
      finish(.silent)
      return pipe.close(isOrderly: false)
    }
  }
}

extension WebSocketCore.State {
  /// A server may answer only the last of several pings (RFC 6455 §5.5.3).
  fileprivate mutating func answerPing(_ number: UInt64) {
    guard number > lastPong, number <= lastPing else { return }
    lastPong = number
    while let ping = pings.first, ping.number <= number {
      confirmedCount = ping.sentCount
      _ = pings.popFirst()
    }
  }
}
