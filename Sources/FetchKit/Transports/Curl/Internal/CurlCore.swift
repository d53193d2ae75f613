#if os(Linux)
internal import CCurl
internal import Foundation

/// libcurl's multi handle and the transfers in it: everything that calls libcurl, for one thread at a time.
///
/// What is to be told to others is gathered as actions; who had the core carries them out after giving it back.
final class CurlCore {
  private(set) var now = MonotonicClock.now()
  private(set) var isStopped = false
  private let settings: CurlSettings
  private let poller: EventPoller
  private let multi: UnsafeMutableRawPointer
  /// When libcurl wants to be called without an event.
  private var timerDue = Int.max
  private var active = DeadlineQueue()
  /// Those that were called back in this turn.
  private var touched: [CurlTransfer] = []
  private var spare: [CurlEasy] = []
  private var actions: [CurlAction] = []

  init(_ settings: CurlSettings, poller: EventPoller) throws(CurlTransport.SetupError) {
    guard let multi = curl_multi_init() else { throw .noResources(reason: "libcurl could not make a multi handle") }
    self.multi = multi
    self.settings = settings
    self.poller = poller
    ccurl_multi_set_long(multi, CURLMOPT_MAX_HOST_CONNECTIONS, settings.connectionsPerHost)
    // Unretained is right: the multi does not outlive the core, see `stop` and `deinit`.
    let me = Unmanaged.passUnretained(self).toOpaque()
    ccurl_multi_set_pointer(multi, CURLMOPT_SOCKETDATA, me)
    ccurl_multi_set_socket_callback(multi) { _, socket, interest, me, known in
      if let me {
        Unmanaged<CurlCore>.fromOpaque(me)._withUnsafeGuaranteedRef {
          $0.watch(socket, interest, isKnown: known != nil)
        }
      }
      return 0
    }
    ccurl_multi_set_pointer(multi, CURLMOPT_TIMERDATA, me)
    ccurl_multi_set_timer_callback(multi) { _, milliseconds, me in
      if let me { Unmanaged<CurlCore>.fromOpaque(me)._withUnsafeGuaranteedRef { $0.setTimer(milliseconds) } }
      return 0
    }
  }

  var isIdle: Bool { active.isEmpty }

  /// When the core has to be called again, whatever happens.
  var due: Int { min(timerDue, active.first?.due ?? .max) }

  func beginTurn() {
    now = MonotonicClock.now()
  }

  /// Runs what is due, and hands over what is to be done without the core, for `undone`, which is empty and lends its room.
  func endTurn(_ undone: inout [CurlAction]) {
    endOverdue()
    var running: Int32 = 0
    // A transfer that was just added is a timer too. Bounded, so that events are not kept waiting.
    for _ in 0..<8 where timerDue <= now {
      timerDue = .max
      curl_multi_socket_action(multi, curl_socket_t(-1), 0, &running)  // CURL_SOCKET_TIMEOUT
    }
    collectEnded()
    for transfer in touched {
      transfer.isTouched = false
      if let easy = transfer.easy { transfer.lastMoved = easy.movedBytes }
    }
    touched.removeAll(keepingCapacity: true)
    swap(&actions, &undone)
  }

  func handle(_ socket: curl_socket_t, _ mask: Int32) {
    var running: Int32 = 0
    curl_multi_socket_action(multi, socket, mask, &running)
    collectEnded()  // one socket at a time, so that `makeRoom` knows what is still in use
  }

  func handle(_ command: CurlCommand) {
    switch command {
    case .start(let transfer, let waiter): start(transfer, waiter)
    case .cancel(let transfer): cancel(transfer)
    case .resume(let transfer): resume(transfer)
    case .uploaded(let transfer, let piece, let generation): uploaded(transfer, piece, generation: generation)
    case .stop: isStopped = true
    }
  }

  func start(_ transfer: CurlTransfer, _ waiter: CurlTransfer.Waiter) {
    transfer.waiter = waiter
    guard transfer.phase == .new, !isStopped else { return end(transfer, with: .cancelled) }
    transfer.phase = .running
    transfer.core = self
    transfer.handedOverAt = now
    transfer.lastActivity = now
    active.insert(transfer, due: transfer.due)
    makeRoom()
    do throws(TransportError) {
      let easy = try makeEasy()
      transfer.easy = easy
      try easy.prepare(for: transfer, settings)
      let code = curl_multi_add_handle(multi, easy.handle)
      guard code == CURLM_OK else {
        throw .connection(.refused, detail: String(cString: curl_multi_strerror(code)))
      }
    } catch {
      finish(transfer, with: error)
    }
  }

  /// libcurl counts the connections in use among those it may keep, and beyond that closes the one just answered on: with
  /// many requests hanging each further one would need a connection of its own.
  private func makeRoom() {
    ccurl_multi_set_long(multi, CURLMOPT_MAXCONNECTS, settings.idleConnections + active.count)
  }

  private func makeEasy() throws(TransportError) -> CurlEasy {
    if let easy = spare.popLast() { return easy }
    do {
      return try CurlEasy()
    } catch {
      throw .connection(.refused, detail: error.description)
    }
  }

  private func cancel(_ transfer: CurlTransfer) {
    switch transfer.phase {
    case .new: transfer.phase = .cancelledEarly
    case .running: finish(transfer, with: .cancelled)
    case .cancelledEarly, .ended: break
    }
  }

  /// The consumer has taken what was there.
  private func resume(_ transfer: CurlTransfer) {
    guard transfer.phase == .running, transfer.isReceivingPaused else { return }
    transfer.isReceivingPaused = false
    transfer.lastActivity = now
    reschedule(transfer)
    applyPauses(of: transfer)  // hands over at once what libcurl kept, which may pause again
  }

  private func uploaded(_ transfer: CurlTransfer, _ piece: Result<Data?, any Error>, generation: Int) {
    guard transfer.phase == .running, let upload = transfer.upload else { return }
    switch piece {
    case .failure(let error): finish(transfer, with: .requestBody(error))
    case .success(let data):
      guard upload.accept(data, generation: generation), transfer.isSendingPaused else { return }
      transfer.isSendingPaused = false
      applyPauses(of: transfer)
    }
  }

  private func applyPauses(of transfer: CurlTransfer) {
    guard let easy = transfer.easy else { return }
    var mask = CURLPAUSE_CONT
    if transfer.isReceivingPaused { mask |= CURLPAUSE_RECV }
    if transfer.isSendingPaused { mask |= CURLPAUSE_SEND }
    curl_easy_pause(easy.handle, mask)
  }

  /// Ends everything and takes no more. After it the core only refuses.
  func stop() {
    isStopped = true
    while let transfer = active.last { finish(transfer, with: .cancelled) }
    spare = []
  }

  deinit {
    // Here, not in `stop`: the sockets it closes are still in the poller, which the core holds.
    curl_multi_cleanup(multi)
  }

  // MARK: From callbacks

  func act(_ action: CurlAction) {
    actions.append(action)
  }

  func touch(_ transfer: CurlTransfer) {
    guard !transfer.isTouched else { return }
    transfer.isTouched = true
    touched.append(transfer)
  }

  func reschedule(_ transfer: CurlTransfer) {
    active.move(transfer, to: transfer.due)
  }

  func respond(to transfer: CurlTransfer, with result: Result<CurlAnswer, TransportError>) {
    guard let waiter = transfer.waiter else { return }
    transfer.waiter = nil
    actions.append(.respond(waiter, result))
  }

  private func watch(_ socket: curl_socket_t, _ interest: Int32, isKnown: Bool) {
    guard interest != CURL_POLL_REMOVE else { return poller.forget(socket) }
    if !isKnown { curl_multi_assign(multi, socket, Unmanaged.passUnretained(self).toOpaque()) }
    poller.watch(socket, for: interest, isKnown: isKnown)
  }

  private func setTimer(_ milliseconds: Int) {
    timerDue = milliseconds < 0 ? .max : milliseconds == 0 ? 0 : MonotonicClock.now() + milliseconds * 1_000_000
  }

  // MARK: The end of transfers

  private func collectEnded() {
    var left: Int32 = 0
    while let message = curl_multi_info_read(multi, &left) {
      guard message.pointee.msg == CURLMSG_DONE else { continue }
      let code = message.pointee.data.result
      var context: UnsafeMutableRawPointer?
      ccurl_get_pointer(message.pointee.easy_handle, CURLINFO_PRIVATE, &context)
      _ = CurlTransfer.from(context) { finish($0, with: error(of: $0, code)) }
    }
  }

  private func error(of transfer: CurlTransfer, _ code: CURLcode) -> TransportError? {
    if let failure = transfer.failure { return failure }
    guard code == CURLE_OK else { return CurlFaults.error(for: code, of: transfer, now: now) }
    return transfer.head.isComplete ? nil : CurlFaults.cutOffHead
  }

  /// libcurl has deadlines of its own, but in 7.88 the total one is not looked at while a transfer waits for a
  /// connection, and silence is counted in whole seconds.
  private func endOverdue() {
    while let (due, transfer) = active.first, due <= now {
      let isDue = transfer.due <= now
      if isDue, transfer.totalDue <= now {
        finish(transfer, with: .timeout(.total))
      } else if isDue, !transfer.isConnected {
        finish(transfer, with: .timeout(.connect))
      } else if isDue, !hasMoved(transfer) {
        finish(transfer, with: .timeout(.idle))
      } else {
        reschedule(transfer)
      }
    }
  }

  /// Whether bytes moved that no callback told of: parts of a buffer on its way out, or of a block not yet decompressed.
  private func hasMoved(_ transfer: CurlTransfer) -> Bool {
    guard let moved = transfer.easy?.movedBytes, moved != transfer.lastMoved else { return false }
    transfer.lastMoved = moved
    transfer.lastActivity = now
    return true
  }

  private func finish(_ transfer: CurlTransfer, with error: TransportError?) {
    if let easy = transfer.easy { curl_multi_remove_handle(multi, easy.handle) }  // before it may be reset
    active.remove(transfer)
    makeRoom()
    end(transfer, with: error)
    guard let easy = transfer.easy else { return }
    transfer.easy = nil
    // libcurl counts over all of a handle's transfers how often a dead connection made it send again, gives up for good at
    // five, and starts anew only when the handle is reset.
    if error != nil || transfer.attempts > 1 { easy.shape = nil }
    guard spare.count < 64, !isStopped else { return }
    spare.append(easy)
  }

  /// The one place where a transfer ends.
  private func end(_ transfer: CurlTransfer, with error: TransportError?) {
    precondition(transfer.phase != .ended, "a transfer ended twice")
    transfer.phase = .ended
    if let pump = transfer.upload?.pump { actions.append(.endReading(pump)) }
    if let error {
      respond(to: transfer, with: .failure(error))
    } else if transfer.stream == nil {
      respond(to: transfer, with: .success(CurlAnswer(head: transfer.responseHead(), body: transfer.body)))
    }
    if let stream = transfer.stream { actions.append(.end(stream, error)) }
    transfer.body = Data()
    transfer.core = nil
  }
}
#endif
