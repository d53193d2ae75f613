#if os(Linux)
internal import CCurl
internal import Foundation

/// The transfers in flight and the pools they are in: everything that calls libcurl, for one thread at a time.
///
/// What is to be told to others is gathered as actions; who had the core carries them out after giving it back.
final class CurlCore {
  private(set) var now = MonotonicClock.now()
  private(set) var isStopped = false
  private let settings: CurlSettings
  private let sockets: CurlSockets
  /// Filled from the first on; never empty.
  private var pools: [CurlPool]
  private var active = DeadlineQueue()
  /// Those that were called back in this turn.
  private var touched: [CurlTransfer] = []
  private var spare: [CurlEasy] = []
  private let share: CurlShare
  private var actions: [CurlAction] = []
  private var origins: CurlOrigins
  private var attendance: CurlAttendance
  /// The last thing that a server said about the end of an HTTP/2 connection.
  private var lastEnd: (session: UnsafeRawPointer, stream: Int)?

  init(_ settings: CurlSettings, poller: EventPoller) throws(CurlTransport.SetupError) {
    self.settings = settings
    sockets = CurlSockets(poller)
    attendance = CurlAttendance(patience: settings.patience)
    origins = CurlOrigins(patience: settings.openingPatience)
    share = try CurlShare()
    pools = [try CurlPool(0, settings, sockets)]
  }

  var isIdle: Bool { active.isEmpty }
  /// Of transfers in flight.
  var count: Int { active.count }

  /// When the core has to be called again, whatever happens.
  var due: Int { pools.reduce(workDue) { min($0, $1.windowEnds) } }
  /// The same, but for tidying up.
  var workDue: Int {
    pools.reduce(min(active.first?.due ?? .max, sockets.writesDue, origins.due)) { min($0, $1.timerDue) }
  }

  func beginTurn() {
    now = MonotonicClock.now()
    sockets.beginTurn()
  }

  /// Runs what is due, and hands over what is to be done without the core, for `undone`, which is empty and lends its
  /// room.
  func endTurn(_ undone: inout [CurlAction]) {
    endOverdue()
    sockets.allowWrites(at: now)
    for pool in pools {
      pool.advance(to: now)
      collectEnded(in: pool)
    }
    for transfer in origins.next(at: now) where transfer.pool == nil { launch(transfer) }
    var mayRest: Int?
    for pool in pools where pool.endWindow(at: now) { mayRest = pools.reduce(0) { $0 + $1.restingRoom } }
    if let mayRest { sockets.closeResting(beyond: mayRest) }
    closeSparePools()
    for transfer in touched {
      transfer.isTouched = false
      if let easy = transfer.easy { transfer.lastMoved = easy.movedBytes }
    }
    touched.removeAll(keepingCapacity: true)
    swap(&actions, &undone)
  }

  /// Whether what the poller has seen is to be handled.
  func wants(_ event: EventPoller.SocketEvent) -> Bool { sockets.wantsEvent(of: event.socket) }

  func handle(_ event: EventPoller.SocketEvent) {
    // The pool may have been closed by another thread since the event came.
    guard event.pool < pools.count else { return }
    let pool = pools[event.pool]
    let known = touched.count
    pool.handle(event.socket, event.mask)
    if settings.library.spinsOnHTTP2Uploads {
      let isIdle = event.mask == CURL_CSELECT_OUT && touched.count == known
      sockets.noteEvent(on: event.socket, of: event.pool, isIdle: isIdle, at: now)
    }
    collectEnded(in: pool)  // one socket at a time, so that the pool knows what is still in use
  }

  func handle(_ command: CurlCommand) {
    switch command {
    case .start(let transfer, let waiter): start(transfer, waiter)
    case .cancel(let transfer): cancel(transfer)
    case .resume(let transfer): resume(transfer)
    case .uploaded(let transfer, let piece, let generation): uploaded(transfer, piece, generation: generation)
    case .takeOver: endAttendance()
    case .stop: isStopped = true
    }
  }

  /// Starts the transfer with nothing else in flight: the caller may have to attend to it.
  func startAlone(_ transfer: CurlTransfer, _ waiter: CurlTransfer.Waiter) {
    if attendance.begin(transfer, at: now) { pools[0].beginAttendance() }
    start(transfer, waiter)
  }

  /// Whether the transfer's caller still has to attend to it.
  func isAttended(_ transfer: CurlTransfer) -> Bool { attendance.isGiven(to: transfer) }

  /// The socket the caller has to wait for, and until when; nil when the transfer is answered, or others see to it.
  func attendedSocket(of transfer: CurlTransfer) -> (socket: EventPoller.SocketEvent, until: Int)? {
    guard isAttended(transfer) else { return nil }
    guard let socket = pools[0].attended, now < attendance.limit else {
      endAttendance()
      return nil
    }
    return (socket, min(attendance.limit, due))
  }

  /// From now on the thread sees to everything.
  func endAttendance() {
    attendance.end()
    pools[0].endAttendance()
  }

  func start(_ transfer: CurlTransfer, _ waiter: CurlTransfer.Waiter) {
    transfer.waiter = waiter
    guard transfer.phase == .new, !isStopped else { return end(transfer, with: .cancelled) }
    transfer.phase = .running
    transfer.core = self
    transfer.lastActivity = now
    active.insert(transfer, due: transfer.due)
    if transfer.shape.offersHTTP2 { origins.join(transfer) }
    launch(transfer)
  }

  private func launch(_ transfer: CurlTransfer) {
    transfer.handedOverAt = now
    do throws(TransportError) {
      let easy = try makeEasy()
      transfer.easy = easy
      try easy.prepare(for: transfer, settings, sockets)
      let pool = try poolWithRoom()
      try pool.add(easy)
      transfer.pool = pool
    } catch {
      finish(transfer, with: error)
    }
  }

  private func poolWithRoom() throws(TransportError) -> CurlPool {
    if let pool = pools.first(where: \.hasRoom) { return pool }
    do throws(CurlTransport.SetupError) {
      let pool = try CurlPool(pools.count, settings, sockets)
      pools.append(pool)
      return pool
    } catch {
      throw .connection(.noResources, detail: error.description)
    }
  }

  /// From the last on, those that stand empty, with the connections they keep; not while the one before is about to be
  /// full.
  private func closeSparePools() {
    while pools.count > 1, pools[pools.count - 1].isCalm, pools[pools.count - 2].isHalfEmpty {
      pools.removeLast().close()
    }
  }

  private func makeEasy() throws(TransportError) -> CurlEasy {
    if let easy = spare.popLast() { return easy }
    do {
      return try CurlEasy(sharing: share)
    } catch {
      throw .connection(.noResources, detail: error.description)
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
    let code = curl_easy_pause(easy.handle, mask)
    // What libcurl kept may have been refused by our callbacks just now, and of that the multi need not hear. A handle
    // that has no connection for the moment has nothing to let go on.
    guard code != CURLE_OK, code != CURLE_BAD_FUNCTION_ARGUMENT else { return }
    finish(transfer, with: error(of: transfer, code))
  }

  /// Ends everything and takes no more. After it the core only refuses.
  func stop() {
    isStopped = true
    while let transfer = active.last { finish(transfer, with: .cancelled) }
    spare = []
  }

  deinit {
    // Here, not in `stop`: closing them calls back into `sockets`, and takes what is still in the poller out of it.
    for pool in pools { pool.close() }
  }

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
    transfer.answer = result
    if isAttended(transfer) { pools[0].endAttendance() }
    attendance.note(transfer, answeredAt: now)
    actions.append(.respond(waiter))
  }

  private func collectEnded(in pool: CurlPool) {
    while let (context, code) = pool.nextEnded() {
      _ = CurlTransfer.from(context) { transfer in
        if code != CURLE_OK && transfer.mustWait && transfer.failure == nil {
          wait(transfer, in: pool)
        } else if transfer.mustMove || code != CURLE_OK && transfer.startAnew() {
          move(transfer, in: pool)
        } else {
          finish(transfer, with: error(of: transfer, code))
        }
      }
    }
  }

  /// Takes the transfer from libcurl until there may be room for it.
  private func wait(_ transfer: CurlTransfer, in pool: CurlPool) {
    transfer.mustWait = false
    transfer.mustMove = false
    // It may have been sent already, on a connection that ended.
    guard transfer.upload == nil || transfer.rewindBody() else {
      return finish(
        transfer, with: .connection(.lost, detail: "the body can be read only once, and the server has not taken it"))
    }
    if let easy = transfer.easy {
      pool.remove(easy)
      easy.forgetTransfer()
      easy.shape = nil
      keep(easy)
    }
    transfer.pool = nil
    transfer.easy = nil
    origins.wait(transfer)
  }

  /// Starts the transfer again, of which nothing was sent, or which the server has not processed: libcurl has closed
  /// the connection it was to use, or given up after five that the server ended.
  private func move(_ transfer: CurlTransfer, in pool: CurlPool) {
    guard var easy = transfer.easy else { return }
    transfer.mustMove = false
    origins.noteConnection(of: transfer)
    transfer.streamID = nil
    transfer.handedOverAt = now
    pool.remove(easy)
    if transfer.shape.offersHTTP2 { easy.forgetTransfer() }
    do throws(TransportError) {
      if !settings.library.canReuseHandles {
        easy = try makeEasy()
        transfer.easy = easy
      }
      easy.shape = nil
      try easy.prepare(for: transfer, settings, sockets)
      try pool.add(easy)
    } catch {
      transfer.pool = nil
      finish(transfer, with: transfer.attempts == 0 ? error : .connection(.lost, detail: error.description))
    }
  }

  /// Whether unsolicited bytes wait on the kept connection: they would be taken for the answer to the next request.
  func hasUnaskedBytes(on port: Int32) -> Bool {
    !settings.library.refusesUnaskedBytes && sockets.hasUnaskedBytes(on: port)
  }

  func openSocket(_ address: curl_sockaddr) -> curl_socket_t { sockets.open(address) }

  func noteConnection(of transfer: CurlTransfer) { origins.noteConnection(of: transfer) }

  var leaksTrailers: Bool { settings.library.leaksTrailers }

  var usesHandlesOnce: Bool { !settings.library.canReuseHandles }

  /// An encoding in lower case.
  func decompresses(_ encoding: String) -> Bool { settings.library.encodings.contains(encoding) }

  func connection(on port: Int32) -> Int { sockets.connection(on: port) }

  /// The server ends an HTTP/2 connection: it has not processed what came on streams after the last one that it names.
  ///
  /// An open connection is known by its TLS session. A later one's may have the same address, so a transfer whose own
  /// connection is closed by now is left alone.
  func noteEnd(of session: UnsafeRawPointer, lastStream: Int) {
    // A server may repeat itself.
    if let lastEnd, lastEnd == (session, lastStream) { return }
    lastEnd = (session, lastStream)
    active.forEach { transfer in
      guard transfer.tlsSession == session, let id = transfer.streamID, id > lastStream, transfer.connection != 0,
        sockets.connection(on: transfer.localPort) == transfer.connection
      else { return }
      transfer.isUnprocessed = true
    }
  }

  /// A stream was opened: what was noted of an end may be said again, of another connection.
  func noteStream() { lastEnd = nil }

  func noteUse(of port: Int32) -> Int { sockets.noteUse(of: port) }

  func noteAnswer(on port: Int32, _ version: ResponseHead.Version) {
    sockets.noteAnswer(on: port, isMultiplexed: version.major >= 2)
  }

  private func error(of transfer: CurlTransfer, _ code: CURLcode) -> TransportError? {
    if let failure = transfer.failure { return failure }
    if transfer.isAnswered { return nil }
    if code == CURLE_COULDNT_CONNECT, sockets.hasRunOut, transfer.attempts == 0 {
      return .connection(.noResources, detail: "no socket could be opened")
    }
    guard code == CURLE_OK else { return CurlFaults.error(for: code, of: transfer, now: now) }
    // What is held back is still in libcurl's hands: 8.5.0 calls it a success all the same, when the server has closed.
    if transfer.isReceivingPaused { return .connection(.lost, detail: "a stream that was held back was cut off") }
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

  /// Whether bytes moved that no callback reported: parts of a buffer on its way out, or of a block not yet
  /// decompressed.
  private func hasMoved(_ transfer: CurlTransfer) -> Bool {
    guard let moved = transfer.easy?.movedBytes, moved != transfer.lastMoved else { return false }
    transfer.lastMoved = moved
    transfer.lastActivity = now
    return true
  }

  private func finish(_ transfer: CurlTransfer, with error: TransportError?) {
    if let pool = transfer.pool, let easy = transfer.easy { pool.remove(easy) }  // before it may be reset
    transfer.pool = nil
    active.remove(transfer)
    switch error {
    case nil, .cancelled?: origins.leave(transfer, isFailure: false)
    default: origins.leave(transfer, isFailure: true)
    }
    end(transfer, with: error)
    guard let easy = transfer.easy else { return }
    transfer.easy = nil
    if transfer.shape.offersHTTP2 { easy.forgetTransfer() }
    // libcurl counts over all of a handle's transfers how often a dead connection made it send again, gives up for good
    // at five, and counts from zero only when the handle is reset.
    if error != nil || transfer.attempts > 1 || transfer.hasOwnOptions { easy.shape = nil }
    keep(easy)
  }

  private func keep(_ easy: CurlEasy) {
    if settings.library.canReuseHandles, spare.count < 64, !isStopped { spare.append(easy) }
  }

  /// The one place where a transfer ends.
  private func end(_ transfer: CurlTransfer, with error: TransportError?) {
    precondition(transfer.phase != .ended, "a transfer ended twice")
    transfer.phase = .ended
    if let pump = transfer.upload?.pump { actions.append(.endReading(pump)) }
    if error == nil { sockets.noteEnd(of: transfer.connectionUse, on: transfer.localPort) }
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
