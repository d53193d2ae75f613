#if canImport(CLarderCurl)
internal import CLarderCurl
internal import Foundation

/// The transfers in flight and their pools: everything that calls libcurl, used by one thread at a time.
///
/// Whatever has to be reported to others is collected as actions. The thread performs them after releasing the core.
final class CurlCore {
  private(set) var now = MonotonicClock.now()
  private(set) var isStopped = false
  /// Whether the TLS library reports its messages; OpenSSL does.
  var reportsTLS = false
  /// When the thread calls next, unless it is woken up.
  var sleepsUntil = Int.max
  let settings: CurlSettings
  let sockets: CurlSockets
  /// Never empty; filled from the first pool on.
  private var pools: [CurlPool]
  var deadlines = DeadlineQueue<CurlTransfer>()
  /// The transfers that received a callback in this turn.
  private var activeThisTurn: [CurlTransfer] = []
  var spare: [CurlEasy] = []
  private let share: CurlShare
  /// The sockets that are open or being opened.
  var openSockets: [ObjectIdentifier: CurlSocket] = [:]
  /// The open ones.
  var socketsByDescriptor: [curl_socket_t: CurlSocket] = [:]
  /// By their numbers.
  var socketPools: [Int: CurlPool] = [:]
  /// Those that open sockets. The others, which can be a thousand, need no calls.
  var openingPools: [Int: CurlPool] = [:]
  var mayHaveEmptyPools = false
  /// Where sockets receive; empty until one is opened. It is not lazy, because each access would then copy it.
  var socketBuffer: [UInt8] = []
  var actions: [CurlAction] = []
  var origins: CurlOrigins
  /// The last message from a server about the end of an HTTP/2 connection.
  private var lastEnd: (session: UnsafeRawPointer, stream: Int, error: Int)?

  init(_ settings: CurlSettings, poller: EventPoller) throws(CurlTransport.SetupError) {
    self.settings = settings
    sockets = CurlSockets(poller)
    origins = CurlOrigins(openingTimeout: settings.openingTimeout)
    share = try CurlShare()
    pools = [try CurlPool(0, settings, sockets, connectionsPerHost: settings.connectionsPerHost)]
  }

  /// When the core has to be called again even if nothing happens.
  var due: Int {
    let due = pools.reduce(min(deadlines.first?.due ?? .max, sockets.writesDue, origins.due)) {
      min($0, $1.timerDue, $1.windowEnds)
    }
    return openingPools.values.reduce(due) { min($0, $1.timerDue) }
  }

  func beginTurn() {
    now = MonotonicClock.now()
    sockets.beginTurn()
  }

  /// Runs everything that is due, and moves the actions to perform without the core to `undone`, which must be empty
  /// and whose storage is reused.
  func endTurn(_ undone: inout [CurlAction]) {
    endOverdue()
    sockets.allowWrites(at: now)
    for pool in pools {
      pool.advance(to: now)
      collectEnded(in: pool)
    }
    for (number, pool) in openingPools {
      pool.advance(to: now)
      collectOpened(in: pool)
      if pool.opening == 0 { openingPools[number] = nil }
    }
    if mayHaveEmptyPools { closeEmptySocketPools() }
    for transfer in origins.next(at: now) where transfer.pool == nil { launch(transfer) }
    var idleLimit: Int?
    for pool in pools where pool.endWindow(at: now) { idleLimit = pools.reduce(0) { $0 + $1.idleLimit } }
    if let idleLimit { sockets.closeIdle(beyond: idleLimit) }
    closeSparePools()
    for transfer in activeThisTurn {
      if let easy = transfer.easy { transfer.lastMoved = easy.movedBytes }
    }
    activeThisTurn.removeAll(keepingCapacity: true)
    swap(&actions, &undone)
  }

  /// Whether an event reported by the poller is to be handled.
  func wants(_ event: EventPoller.SocketEvent) -> Bool { sockets.wantsEvent(of: event.socket) }

  func handle(_ event: EventPoller.SocketEvent) {
    // The pool may have been closed since the event was reported.
    guard event.pool < pools.count else {
      if let pool = socketPools[event.pool] { handle(event, in: pool) }
      return
    }
    let pool = pools[event.pool]
    let known = activeThisTurn.count
    pool.handle(event.socket, event.mask)
    if settings.library.spinsOnHTTP2Uploads {
      let isIdle = event.mask == CURL_CSELECT_OUT && activeThisTurn.count == known
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
    case .open(let socket): open(socket)
    case .flow(let socket): resume(socket)
    case .end(let socket): end(socket, with: .cancelled)
    case .stop: isStopped = true
    }
  }

  func start(_ transfer: CurlTransfer, _ waiter: CurlTransfer.Waiter) {
    transfer.waiter = waiter
    guard !isStopped, transfer.state.start() else { return end(transfer, with: .cancelled) }
    transfer.core = self
    deadlines.insert(transfer, due: transfer.due)
    if transfer.shape.allowsHTTP2 { origins.join(transfer) }
    launch(transfer)
  }

  /// Offers no HTTP/2 to a server that has required HTTP/1.1.
  func keepToHTTP1(_ transfer: CurlTransfer) {
    guard transfer.shape.allowsHTTP2, origins.requiresHTTP1(transfer.originName) else { return }
    origins.leave(transfer, isFailure: false)
    transfer.shape.allowsHTTP2 = false
  }

  private func launch(_ transfer: CurlTransfer) {
    transfer.handedOverAt = now
    keepToHTTP1(transfer)
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
      let pool = try CurlPool(pools.count, settings, sockets, connectionsPerHost: settings.connectionsPerHost)
      pools.append(pool)
      return pool
    } catch {
      throw .connection(.noResources, detail: error.description)
    }
  }

  /// Closes empty pools and the connections they keep, starting from the last one, unless the pool before them is about
  /// to fill up.
  private func closeSparePools() {
    while pools.count > 1, pools[pools.count - 1].isIdle, pools[pools.count - 2].isHalfEmpty {
      pools.removeLast().close()
    }
  }

  func makeEasy() throws(TransportError) -> CurlEasy {
    if let easy = spare.popLast() { return easy }
    return try makeUnsharedEasy()
  }

  func makeUnsharedEasy() throws(TransportError) -> CurlEasy {
    do {
      return try CurlEasy(sharing: share)
    } catch {
      throw .connection(.noResources, detail: error.description)
    }
  }

  private func cancel(_ transfer: CurlTransfer) {
    if transfer.state.cancel() { finish(transfer, with: .cancelled) }
  }

  /// Continues receiving after the consumer has read the buffered bytes.
  private func resume(_ transfer: CurlTransfer) {
    guard transfer.state.isRunning, transfer.state.pauses.remove(.receiving) != nil else { return }
    transfer.noteActivity()
    reschedule(transfer)
    applyPauses(of: transfer)  // immediately delivers what libcurl buffered, which may pause again
  }

  private func uploaded(_ transfer: CurlTransfer, _ piece: Result<Data?, any Error>, generation: Int) {
    guard transfer.state.isRunning, let upload = transfer.upload else { return }
    switch piece {
    case .failure(let error): finish(transfer, with: .requestBody(error))
    case .success(let data):
      guard upload.accept(data, generation: generation), transfer.state.pauses.remove(.sending) != nil else { return }
      applyPauses(of: transfer)
    }
  }

  private func applyPauses(of transfer: CurlTransfer) {
    guard let easy = transfer.easy else { return }
    var mask = CURLPAUSE_CONT
    if transfer.state.pauses.contains(.receiving) { mask |= CURLPAUSE_RECV }
    if transfer.state.pauses.contains(.sending) { mask |= CURLPAUSE_SEND }
    let code = curl_easy_pause(easy.handle, mask)
    // Our callbacks may have just rejected what libcurl had buffered, and the multi handle does not report that. A
    // handle without a connection at the moment has nothing to continue.
    guard code != CURLE_OK, code != CURLE_BAD_FUNCTION_ARGUMENT else { return }
    switch transfer.state.reported(isSuccess: false, hasHead: true) {
    case .failed(let error): finish(transfer, with: error)
    default: finish(transfer, with: error(of: transfer, code))
    }
  }

  /// Ends all transfers. Afterward, the core rejects every new one.
  func stop() {
    isStopped = true
    while let transfer = deadlines.last { finish(transfer, with: .cancelled) }
    for socket in openSockets.values { end(socket, with: .cancelled) }
    spare = []
  }

  deinit {
    // Not in `stop`: closing the pools calls back into `sockets` and removes the remaining entries from the poller.
    for pool in pools { pool.close() }
    for pool in socketPools.values { pool.close() }
  }

  func schedule(_ action: CurlAction) {
    actions.append(action)
  }

  /// Called once a turn for a transfer with a callback.
  func markActive(_ transfer: CurlTransfer) { activeThisTurn.append(transfer) }

  func reschedule(_ transfer: CurlTransfer) {
    deadlines.advance(transfer, to: transfer.due)
  }

  /// Handles a server's announcement that it ends an HTTP/2 connection: it has not processed requests on streams after
  /// the last one that it names.
  ///
  /// An open connection is identified by its TLS session. A later session can have the same address, so a transfer
  /// whose own connection is already closed is not affected.
  func noteEnd(of session: UnsafeRawPointer, lastStream: Int, error: Int) {
    // A server can repeat the announcement.
    if let lastEnd, lastEnd == (session, lastStream, error) { return }
    lastEnd = (session, lastStream, error)
    deadlines.forEach { transfer in
      guard let connection = transfer.state.connection, let stream = connection.stream, stream.session == session,
        stream.id > lastStream, connection.number != 0, sockets.connection(on: connection.port) == connection.number
      else { return }
      if error == 13 { origins.requireHTTP1(transfer.originName) }  // HTTP_1_1_REQUIRED
      transfer.state.noteUnprocessed(error)
    }
  }

  /// By the server's host and port.
  func figures() -> [String: CurlTransport.ConnectionFigures] {
    var figures: [String: CurlTransport.ConnectionFigures] = [:]
    var used: Set<Int> = []
    deadlines.forEach { transfer in
      let connection = transfer.state.connection
      if let connection { used.insert(connection.number) }
      figures[transfer.originName, default: .init()].requests += connection == nil ? 0 : 1
      figures[transfer.originName, default: .init()].waiting += connection == nil ? 1 : 0
    }
    // libcurl 7.88 to 8.1 itself closes sockets that were never used.
    for entry in sockets.entries where entry.connection != 0 && entry.use > 0 {
      figures[entry.server, default: .init()].open += 1
      figures[entry.server, default: .init()].idle += used.contains(entry.connection) ? 0 : 1
    }
    return figures
  }

  /// Records that a stream was opened. After that, the same announcement can apply to another connection.
  func noteStream() { lastEnd = nil }
}
#endif
