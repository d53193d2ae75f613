#if canImport(CLarderCurl)
internal import CLarderCurl
internal import Foundation

/// How a transfer ends, or starts again, once libcurl has ended it or its time has run out.
extension CurlCore {
  func collectEnded(in pool: CurlPool) {
    while let (context, code) = pool.nextEnded() {
      _ = CurlTransfer.from(context) { transfer in
        switch transfer.state.reported(isSuccess: code == CURLE_OK, hasHead: transfer.head.count > 0) {
        case .wait: wait(transfer, in: pool)
        case .move(let toNew): move(transfer, in: pool, toNew: toNew)
        case .complete: finish(transfer, with: nil)
        case .failed(let error): finish(transfer, with: error)
        case .asReported: finish(transfer, with: error(of: transfer, code))
        }
      }
    }
  }

  /// Removes the transfer from libcurl until a connection may be available.
  private func wait(_ transfer: CurlTransfer, in pool: CurlPool) {
    // The request may already have been sent, on a connection that ended.
    guard transfer.rewindBody() else {
      return finish(transfer, with: .connection(.lost, detail: "the body can be read only once"))
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

  /// Starts a transfer again if nothing of it was sent or the server has not processed it: libcurl has closed its
  /// connection, or has stopped trying after the server ended five connections.
  private func move(_ transfer: CurlTransfer, in pool: CurlPool, toNew: Bool) {
    guard var easy = transfer.easy else { return }
    guard transfer.rewindBody() else {
      return finish(transfer, with: .connection(.unprocessed, detail: "the body can be read only once"))
    }
    origins.noteConnection(of: transfer)
    transfer.handedOverAt = now
    pool.remove(easy)
    easy.forgetTransfer()
    keepToHTTP1(transfer)
    do throws(TransportError) {
      if !settings.library.canReuseHandles {
        easy = try makeEasy()
        transfer.easy = easy
      }
      easy.shape = nil
      try easy.prepare(for: transfer, settings, sockets)
      if toNew { easy.useNewConnection() }
      try pool.add(easy)
    } catch {
      transfer.pool = nil
      finish(transfer, with: transfer.state.attempts == 0 ? error : .connection(.lost, detail: error.description))
    }
  }

  func error(of transfer: CurlTransfer, _ code: CURLcode) -> TransportError? {
    if code == CURLE_COULDNT_CONNECT, sockets.hasRunOut, transfer.state.attempts == 0 {
      return .connection(.noResources, detail: "no socket could be opened")
    }
    if code != CURLE_OK, transfer.state.isUnprocessed, transfer.head.count == 0 {
      return .connection(.unprocessed, detail: transfer.easy?.text(for: code) ?? "")
    }
    guard code == CURLE_OK else { return CurlFaults.error(for: code, of: transfer, now: now) }
    // libcurl still holds the paused bytes, but 8.5.0 reports success anyway if the server has closed the connection.
    if transfer.state.pauses.contains(.receiving) {
      return .connection(.lost, detail: "the connection closed while it was paused")
    }
    guard transfer.head.isComplete else { return CurlFaults.cutOffHead }
    if transfer.body.isCutOff { return CurlBody.cutOff }
    guard transfer.hasOpenEnd, !transfer.body.hasEnded else { return nil }
    if transfer.requiresKnownLength { return CurlBody.openEnd }
    // Without TLS's closing message, anyone on the way may have closed the connection (RFC 9112 §9.8). Through a proxy
    // over TLS, the message can be the proxy's.
    if reportsTLS, !settings.mayUseTLSProxy, transfer.isTLS, transfer.head.version.major == 1,
      transfer.state.connection?.isClosed == false
    {
      return .connection(.lost, detail: "the connection closed without TLS's closing message")
    }
    return nil
  }

  /// Ends the transfers whose deadline has passed.
  ///
  /// libcurl has its own timeouts, but in 7.88 it does not check the total one while a transfer waits for a connection,
  /// and it measures silence in whole seconds.
  func endOverdue() {
    while let (due, transfer) = deadlines.first, due <= now {
      let isDue = transfer.due <= now
      if isDue, transfer.totalDue <= now {
        finish(transfer, with: .timeout(.total))
      } else if isDue, transfer.state.attempts == 0 {
        finish(transfer, with: .timeout(.connect))
      } else if isDue, !hasMoved(transfer) {
        finish(transfer, with: .timeout(.idle))
      } else {
        deadlines.move(transfer, to: transfer.due)
      }
    }
  }

  /// Whether bytes moved without a callback: part of an outgoing buffer, or of a block that is not decompressed yet.
  private func hasMoved(_ transfer: CurlTransfer) -> Bool {
    guard let moved = transfer.easy?.movedBytes, moved != transfer.lastMoved else { return false }
    transfer.lastMoved = moved
    transfer.lastActivity = now
    return true
  }

  func finish(_ transfer: CurlTransfer, with error: TransportError?) {
    if let pool = transfer.pool, let easy = transfer.easy { pool.remove(easy) }  // before it may be reset
    transfer.pool = nil
    deadlines.remove(transfer)
    switch error {
    case nil, .cancelled?: origins.leave(transfer, isFailure: false)
    default: origins.leave(transfer, isFailure: true)
    }
    end(transfer, with: error)
  }

  /// Ends a transfer that is not in libcurl. This is the only place where transfers end.
  func end(_ transfer: CurlTransfer, with error: TransportError?) {
    let connection = transfer.state.connection
    guard transfer.state.end() else { preconditionFailure("a transfer ended twice") }
    if let pump = transfer.upload?.pump { actions.append(.endReading(pump)) }
    if error == nil, let connection { sockets.noteEnd(of: connection.use, on: connection.port) }
    if let error {
      respond(to: transfer, with: .failure(error))
    } else if transfer.body.channel == nil {
      respond(to: transfer, with: .success(CurlAnswer(head: transfer.responseHead(), body: transfer.body.whole)))
    }
    if let channel = transfer.body.channel { actions.append(.finish(channel, error)) }
    transfer.body.discard()
    transfer.core = nil
    guard let easy = transfer.easy else { return }
    transfer.easy = nil
    easy.forgetTransfer()
    // libcurl counts over all transfers of a handle how often a dead connection made it send again. At five, it stops
    // permanently, and only a reset of the handle resets the count.
    if error != nil || transfer.state.attempts > 1 { easy.shape = nil }
    keep(easy)
  }

  private func keep(_ easy: CurlEasy) {
    if settings.library.canReuseHandles, spare.count < 64, !isStopped { spare.append(easy) }
  }

  func respond(to transfer: CurlTransfer, with result: Result<CurlAnswer, TransportError>) {
    guard let waiter = transfer.waiter else { return }
    transfer.waiter = nil
    transfer.answer = result
    actions.append(.respond(waiter))
  }
}
#endif
