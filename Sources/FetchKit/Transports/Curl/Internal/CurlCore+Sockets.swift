#if canImport(CLarderCurl)
internal import CLarderCurl

/// Connections without requests. They are in multi handles of their own: with a limit of connections per host, requests
/// would wait for them, and a receive searches all connections of the handle.
extension CurlCore {
  /// The numbers of these pools begin here.
  static let firstSocketPool = 1 << 16
  static let socketBufferSize = 64 << 10

  func open(_ socket: CurlSocket) {
    guard !isStopped, !socket.hasEnded else { return end(socket, with: .cancelled) }
    socket.sockets = sockets
    if socketBuffer.isEmpty { socketBuffer = [UInt8](repeating: 0, count: Self.socketBufferSize) }
    openSockets[ObjectIdentifier(socket)] = socket
    do throws(TransportError) {
      let easy = try makeUnsharedEasy()
      socket.easy = easy
      try easy.prepare(for: socket, settings, sockets)
      let pool = try socketPoolWithRoom()
      try pool.add(easy)
      socket.pool = pool
      pool.opening += 1
      openingPools[pool.number] = pool
    } catch {
      end(socket, with: error)
    }
  }

  /// libcurl 8 treats an open socket with bytes to read as an idle connection that is dead, and closes it when another
  /// one of the multi handle connects. 7.88 does not.
  private var socketsPerPool: Int { settings.library.rejectsUnsolicitedBytes ? 1 : 64 }

  private func socketPoolWithRoom() throws(TransportError) -> CurlPool {
    if let pool = socketPools.values.first(where: { $0.count < socketsPerPool }) { return pool }
    var number = Self.firstSocketPool
    while socketPools[number] != nil { number += 1 }
    do throws(CurlTransport.SetupError) {
      let pool = try CurlPool(number, settings, sockets, connectionsPerHost: 0)
      socketPools[number] = pool
      return pool
    } catch {
      throw .connection(.noResources, detail: error.description)
    }
  }

  /// Takes up the connections that are open now, and ends those that could not be opened.
  func collectOpened(in pool: CurlPool) {
    while let (context, code) = pool.nextEnded() {
      // Unretained is correct: `openSockets` holds the socket as long as it is in the pool.
      guard let context else { continue }
      let socket = Unmanaged<CurlSocket>.fromOpaque(context).takeUnretainedValue()
      guard let easy = socket.easy else { continue }
      guard code == CURLE_OK, ccurl_get_socket(easy.handle, &socket.descriptor) == CURLE_OK, socket.descriptor >= 0
      else {
        let error = CurlFaults.error(
          for: code, opening: socket.request, easy.text(for: code), mayUseProxy: socket.mayUseProxy,
          hasRunOut: sockets.hasRunOut)
        end(socket, with: error)
        continue
      }
      pool.opening -= 1
      socketsByDescriptor[socket.descriptor] = socket
      socket.remoteAddress = easy.string(CURLINFO_PRIMARY_IP)
      schedule(.perform { socket.opened.set(nil) })
      move(socket)
    }
  }

  func handle(_ event: EventPoller.SocketEvent, in pool: CurlPool) {
    if let socket = socketsByDescriptor[event.socket], socket.pool === pool {
      // An error is reported again until a call has found it.
      if event.mask & (CURL_CSELECT_OUT | CURL_CSELECT_ERR) != 0 { socket.isBlocked = false }
      move(socket)
    } else {
      pool.handle(event.socket, event.mask)
      collectOpened(in: pool)
    }
  }

  /// Continues after the reader has taken bytes, or others have been written.
  func resume(_ socket: CurlSocket) {
    guard socket.descriptor >= 0 else { return }
    let wasPaused = socket.isPaused
    socket.isPaused = false
    move(socket, receives: wasPaused)
  }

  /// Sends what has been written, if nothing else is being sent. Returns false if the loop has to continue.
  func sendAtOnce(_ socket: CurlSocket) -> Bool {
    guard socket.descriptor >= 0, socket.sending.isEmpty, !socket.isBlocked, socket.sendFailure == nil,
      let easy = socket.easy, !socket.takeOutgoing()
    else { return false }
    guard !socket.sending.isEmpty else { return true }
    guard case .moved(let count) = socket.sending.withUnsafeBytes({ easy.send($0) }) else { return false }
    socket.sending = socket.sending.dropFirst(count)
    return socket.outgoing.change { outgoing in
      outgoing.count -= count
      outgoing.sent += count
      outgoing.isScheduled = outgoing.count > 0
      return outgoing.count == 0
    }
  }

  /// Sends and receives what can be, and watches for the rest.
  private func move(_ socket: CurlSocket, receives: Bool = true) {
    guard send(socket), !receives && socket.sendFailure == nil || receive(socket), let pool = socket.pool else {
      return
    }
    var interest: Int32 = 0
    if !socket.isPaused { interest |= CURL_POLL_IN }
    if socket.isBlocked { interest |= CURL_POLL_OUT }
    // A set without interest would still report that the peer has closed, again and again.
    interest == 0 ? sockets.forget(socket.descriptor) : sockets.watch(socket.descriptor, of: pool.number, for: interest)
  }

  /// Returns false if the socket has ended.
  private func send(_ socket: CurlSocket) -> Bool {
    var sent = 0
    defer {
      if sent > 0 {
        schedule(
          .perform { [sent] in
            socket.outgoing.change { outgoing in
              outgoing.count -= sent
              outgoing.sent += sent
            }
          })
      }
    }
    while !socket.isBlocked, socket.sendFailure == nil, let easy = socket.easy {
      if socket.sending.isEmpty {
        let mustEnd = socket.takeOutgoing()
        if socket.sending.isEmpty {
          if mustEnd { end(socket, with: nil) }
          return !mustEnd
        }
      }
      switch socket.sending.withUnsafeBytes({ easy.send($0) }) {
      case .moved(let count):
        socket.sending = socket.sending.dropFirst(count)
        sent += count
      case .wouldBlock: socket.isBlocked = true
      case .failed(let error): (socket.sendFailure, socket.sending) = (error, [])
      }
    }
    return true
  }

  /// Reads until nothing is left: what the TLS library has buffered, the poller does not report. Returns false if the
  /// socket has ended.
  private func receive(_ socket: CurlSocket) -> Bool {
    guard let easy = socket.easy, let channel = socket.incoming else { return false }
    var mustDeliver = false
    defer { if mustDeliver { schedule(.deliver(channel)) } }
    while !socket.isPaused {
      guard !channel.isFull() else {
        socket.isPaused = true
        return true
      }
      let outcome = socketBuffer.withUnsafeMutableBytes { buffer in
        let outcome = easy.receive(into: buffer)
        if case .moved(let count) = outcome, count > 0 {
          let bytes = UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(buffer)[..<count])
          if channel.accept(bytes) { mustDeliver = true }
        }
        return outcome
      }
      switch outcome {
      case .moved(0):
        end(socket, with: nil)
        return false
      case .moved: break
      case .wouldBlock:
        guard let failure = socket.sendFailure else { return true }
        end(socket, with: failure)
        return false
      case .failed(let error):
        end(socket, with: error)
        return false
      }
    }
    return true
  }

  /// Ends a socket. This is the only place where sockets end.
  func end(_ socket: CurlSocket, with error: TransportError?) {
    guard !socket.hasEnded else { return }
    socket.hasEnded = true
    if socketsByDescriptor[socket.descriptor] === socket {
      socketsByDescriptor[socket.descriptor] = nil
      sockets.forget(socket.descriptor)
    }
    if let pool = socket.pool, let easy = socket.easy {
      pool.remove(easy)
      if socket.descriptor < 0 { pool.opening -= 1 }
    }
    mayHaveEmptyPools = true
    (socket.pool, socket.easy, socket.sockets, socket.sending) = (nil, nil, nil, [])
    if let channel = socket.incoming { schedule(.finish(channel, error)) }
    socket.incoming = nil
    schedule(
      .perform {
        socket.opened.set(error ?? .cancelled)
        socket.outgoing.change { outgoing in
          outgoing.hasEnded = true
          outgoing.bytes = []
        }
      })
    openSockets[ObjectIdentifier(socket)] = nil
  }

  func closeEmptySocketPools() {
    mayHaveEmptyPools = false
    for (number, pool) in socketPools where pool.count == 0 {
      socketPools[number] = nil
      pool.close()
    }
  }
}
#endif
