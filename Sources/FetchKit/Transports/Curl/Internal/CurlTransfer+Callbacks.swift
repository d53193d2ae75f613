#if canImport(CLarderCurl)
internal import CLarderCurl
internal import Foundation
internal import Glibc

/// libcurl's callbacks, which are always called during a call from the ``CurlCore``. They must not end the transfer or
/// call libcurl's multi handle.
extension CurlTransfer {
  /// Calls `body` with the transfer that libcurl received as context; nil for a null pointer.
  static func from<Result>(_ context: UnsafeMutableRawPointer?, _ body: (CurlTransfer) -> Result) -> Result? {
    // Unretained is correct: the core's deadline queue holds the transfer as long as libcurl refers to it.
    context.map { Unmanaged<CurlTransfer>.fromOpaque($0)._withUnsafeGuaranteedRef(body) }
  }

  /// Makes libcurl call the functions below for the handle. The handle's other options name the transfer that they
  /// belong to.
  func setCallbacks(on easy: CurlEasy, _ settings: CurlSettings) {
    ccurl_set_prereq_callback(easy.handle) { context, _, _, _, localPort in
      CurlTransfer.from(context) { $0.mayAttempt(from: localPort) } ?? false
        ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
    }
    ccurl_set_data_callback(easy.handle, CURLOPT_HEADERFUNCTION) { bytes, size, count, context in
      CurlTransfer.from(context) { $0.receiveHeader(UnsafeRawBufferPointer(start: bytes, count: size * count)) } ?? 0
    }
    ccurl_set_data_callback(easy.handle, CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
      CurlTransfer.from(context) { $0.receiveBody(UnsafeRawBufferPointer(start: bytes, count: size * count)) } ?? 0
    }
    ccurl_set_open_socket_callback(easy.handle) { context, _, address in
      guard let address = address?.pointee else { return -1 }
      return CurlTransfer.from(context) { $0.openSocket(address) } ?? -1
    }
    if shape.isTLS { setTLSCallbacks(on: easy) }
    guard upload != nil else { return }
    let context = Unmanaged.passUnretained(self).toOpaque()
    ccurl_set_pointer(easy.handle, CURLOPT_READDATA, context)
    ccurl_set_data_callback(easy.handle, CURLOPT_READFUNCTION) { buffer, size, count, context in
      CurlTransfer.from(context) {
        $0.sendBody(into: UnsafeMutableRawBufferPointer(start: buffer, count: size * count))
      } ?? Int(CURL_READFUNC_ABORT)
    }
    ccurl_set_pointer(easy.handle, CURLOPT_SEEKDATA, context)
    ccurl_set_seek_callback(easy.handle) { context, offset, origin in
      let canSeek = offset == 0 && origin == SEEK_SET && CurlTransfer.from(context) { $0.rewindBody() } ?? false
      return canSeek ? CURL_SEEKFUNC_OK : CURL_SEEKFUNC_FAIL
    }
  }

  private func setTLSCallbacks(on easy: CurlEasy) {
    easy.set(CURLOPT_VERBOSE, readsNotes ? 1 : 0)
    ccurl_set_debug_callback(easy.handle) { _, kind, bytes, size, context in
      let bytes = UnsafeRawBufferPointer(start: bytes, count: size)
      if kind == CURLINFO_TEXT {
        if let note = CurlHTTP2Note(bytes) { _ = CurlTransfer.from(context) { $0.receive(note) } }
      } else if kind == CURLINFO_SSL_DATA_IN {
        _ = CurlTransfer.from(context) { $0.receiveTLS(bytes) }
      }
      return 0
    }
  }

  /// Whether libcurl's texts are wanted during the transfer.
  private var readsNotes: Bool { shape.allowsHTTP2 && core?.settings.library.reportsLastStream == true }

  /// Opens the socket of a connection for the transfer; -1 if no connection can be opened.
  func openSocket(_ address: curl_sockaddr) -> curl_socket_t {
    guard let core else { return -1 }
    if case .stopped(.failed) = state.phase { return -1 }  // libcurl would send again
    let isAllowed = origin?.mayOpen(for: self, at: core.now) ?? true
    state.open(isAllowed: isAllowed)
    // Decides whether the connection can report its TLS messages at all; see `completeHead`.
    if shape.isTLS { easy?.set(CURLOPT_VERBOSE, 1) }
    return isAllowed ? core.sockets.open(address, to: originName) : -1
  }

  /// Receives the header or the content of a TLS message. An alert has two bytes: its level and its description.
  private func receiveTLS(_ bytes: UnsafeRawBufferPointer) {
    core?.reportsTLS = true
    if bytes.count == 2, bytes[0] == 1, bytes[1] == 0 { state.noteClosure() }
  }

  /// Called before each attempt to send, on an established connection.
  ///
  /// If a kept-alive connection dies without a response, libcurl sends the request again with any method. A POST that
  /// the server has already processed would then arrive twice.
  func mayAttempt(from port: Int32) -> Bool {
    guard let core else { return false }
    core.origins.noteConnection(of: self)
    if head.isComplete {
      // After a 417 to `Expect`, libcurl would send the request again without that field, which the caller set. Any
      // other response was interrupted, as by HTTP/2's HTTP_1_1_REQUIRED.
      let isComplete = head.status == 417 && request.headers["Expect"] != nil
      stop(isComplete ? .isComplete : .failed(.connection(.lost, detail: "the server interrupted its response")))
      return false
    }
    // libcurl would mistake the bytes for the response to this request.
    if !core.settings.library.rejectsUnsolicitedBytes, core.sockets.hasUnsolicitedBytes(on: port) {
      stop(.mustMove(toNew: false))
      return false
    }
    // libcurl itself sends again what a GOAWAY concerns, with the options of the handle.
    if shape.allowsHTTP2, core.origins.requiresHTTP1(originName) {
      stop(.mustMove(toNew: false))
      return false
    }
    let isFirst = state.attempts == 0
    var connection = core.sockets.noteUse(of: port)
    connection.sentAt = core.now
    guard state.attempt(on: connection, mayRepeat: request.allowsResend) else {
      fail(.connection(.lost, detail: "the kept-alive connection closed, and the request must not be repeated"))
      return false
    }
    // libcurl 7.88 itself rewinds a body only if part of it was written. Bytes that it has only read, for example
    // because the server's window is closed, would be missing.
    guard isFirst || rewindBody() else {
      fail(.connection(.lost, detail: "the connection closed, and the body can be read only once"))
      return false
    }
    if shape.isTLS, !readsNotes { easy?.set(CURLOPT_VERBOSE, 0) }
    noteActivity()
    if isFirst { core.reschedule(self) }
    return true
  }

  func receive(_ note: CurlHTTP2Note) {
    switch note {
    case .opened(let id):
      state.note(CurlTransferState.Stream(id: id, session: easy?.tlsSession))
      core?.noteStream()
      origin?.note(isMultiplexed: true)
    // This can refer to any connection that libcurl checks for this transfer, even an idle one to another server.
    case .ends(let lastStream, let error):
      if let session = easy?.tlsSession { core?.noteEnd(of: session, lastStream: lastStream, error: error) }
    // A reused handle that was refused before reports this for a dead connection too.
    case .refused:
      if state.attempts < 3, core?.settings.library.canReuseHandles == false { state.noteUnprocessed(7) }
    case .downgrades:
      if head.count == 0 { state.noteUnprocessed(13) }
      core?.origins.requireHTTP1(originName)
      core?.keepToHTTP1(self)
    }
  }

  func stop(_ stop: CurlTransferState.Stop) { state.stop(stop) }
  func fail(_ error: TransportError) { state.stop(.failed(error)) }

  func noteActivity() {
    guard let core, lastActivity != core.now else { return }
    lastActivity = core.now
    core.markActive(self)
  }
}
#endif
