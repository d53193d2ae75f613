#if os(Linux)
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
    if shape.allowsHTTP2 { setHTTP2Callbacks(on: easy, settings) }
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

  private func setHTTP2Callbacks(on easy: CurlEasy, _ settings: CurlSettings) {
    ccurl_set_open_socket_callback(easy.handle) { context, _, address in
      guard let address = address?.pointee else { return -1 }
      return CurlTransfer.from(context) { $0.openSocket(address) } ?? -1
    }
    guard settings.library.reportsLastStream else { return }
    easy.set(CURLOPT_VERBOSE, 1)
    ccurl_set_debug_callback(easy.handle) { _, kind, bytes, size, context in
      guard kind == CURLINFO_TEXT, let note = CurlHTTP2Note(UnsafeRawBufferPointer(start: bytes, count: size)) else {
        return 0
      }
      _ = CurlTransfer.from(context) { $0.receive(note) }
      return 0
    }
  }

  /// Opens the socket of a connection for the transfer; -1 if no connection can be opened.
  func openSocket(_ address: curl_sockaddr) -> curl_socket_t {
    guard let core else { return -1 }
    mustWait = origin.map { !$0.mayOpen(for: self, at: core.now) } ?? false
    return mustWait ? -1 : core.sockets.open(address)
  }

  /// Called before each attempt to send, on an established connection.
  ///
  /// If a kept-alive connection dies without a response, libcurl sends the request again with any method. A POST that
  /// the server has already processed would then arrive twice.
  func mayAttempt(from port: Int32) -> Bool {
    streamID = nil
    mustWait = false
    core?.origins.noteConnection(of: self)
    if head.isComplete {
      // After a 417 to `Expect`, libcurl would send the request again without that field, which the caller set. Any
      // other response was interrupted, as by HTTP/2's HTTP_1_1_REQUIRED.
      isAnswered = head.status == 417 && request.headers["Expect"] != nil
      if !isAnswered { failure = .connection(.lost, detail: "the server interrupted its response") }
      return false
    }
    localPort = port
    if let core {
      // libcurl would mistake the bytes for the response to this request.
      if !core.settings.library.rejectsUnsolicitedBytes, core.sockets.hasUnsolicitedBytes(on: port) {
        mustMove = true
        return false
      }
      (connectionUse, connection) = core.sockets.noteUse(of: port)
    }
    attempts += 1
    let mayRepeat = request.allowsResend || isUnprocessed
    isUnprocessed = false
    guard attempts == 1 || mayRepeat else {
      failure = .connection(.lost, detail: "the kept-alive connection closed, and the request must not be repeated")
      return false
    }
    // libcurl 7.88 itself rewinds a body only if part of it was written. Bytes that it has only read, for example
    // because the server's window is closed, would be missing.
    guard attempts == 1 || upload == nil || rewindBody() else {
      failure = .connection(.lost, detail: "the connection closed, and the body can be read only once")
      return false
    }
    noteActivity()
    if !isConnected {
      isConnected = true
      core?.reschedule(self)
    }
    return true
  }

  func receive(_ note: CurlHTTP2Note) {
    switch note {
    case .opened(let id):
      streamID = id
      tlsSession = easy?.tlsSession
      core?.noteStream()
      origin?.note(isMultiplexed: true)
    // This can refer to any connection that libcurl checks for this transfer, even an idle one to another server.
    case .ends(let lastStream):
      if let session = easy?.tlsSession { core?.noteEnd(of: session, lastStream: lastStream) }
    // A reused handle that was refused before reports this for a dead connection too.
    case .refused: if attempts == 1, core?.settings.library.canReuseHandles == false { isUnprocessed = true }
    }
  }

  /// Receives one line of a head or trailer. Returns its length to continue.
  func receiveHeader(_ line: UnsafeRawBufferPointer) -> Int {
    noteActivity()
    if head.isComplete, line.count > 2 { noteTrailer() }
    do throws(TransportError) {
      let completes = try head.read(line)
      let limit = min(request.limits.headers, CurlFaults.largestHead)
      guard head.count <= limit else { throw .tooLarge(.headers, limit: limit) }
      if completes { try completeHead() } else { try checkCodings() }
      return line.count
    } catch {
      failure = error
      return -1
    }
  }

  /// Closes the connection after trailers: on a kept HTTP/1 connection libcurl would leak their memory.
  private func noteTrailer() {
    guard head.version.major == 1, core?.settings.library.leaksTrailers == true, let easy else { return }
    easy.set(CURLOPT_FORBID_REUSE, 1)
    hasOwnOptions = true
  }

  private func completeHead() throws(TransportError) {
    let isMultiplexed = head.version.major >= 2
    core?.sockets.noteAnswer(on: localPort, isMultiplexed: isMultiplexed)
    origin?.note(isMultiplexed: isMultiplexed)
    leaveUnknownEncoding()
    try ContentLength.check(head.fields, ofStatus: head.status, to: request.method)
    let announced = hasBody ? easy?.offset(CURLINFO_CONTENT_LENGTH_DOWNLOAD_T) ?? -1 : 0
    let limit = request.limits.body(forStatus: head.status)
    guard announced <= limit else { throw .tooLarge(.body, limit: limit) }
    if stream == nil {
      if announced > 0 { body.reserveCapacity(min(announced, 1 << 20)) }
    } else if let core {
      core.respond(to: self, with: .success(CurlAnswer(head: responseHead(), body: Data())))
    }
  }

  /// Checks that the codings named by the last field, and by earlier fields with the same name, are acceptable.
  ///
  /// A body that is compressed several times can take seconds to unpack before its first byte arrives here. During that
  /// time no limit or deadline of any request is checked. Transfer codings other than `chunked` were not requested (RFC
  /// 9112 §7.4). libcurl before 8.1 unpacks them anyway, and versions up to 8.13 treat chunk lengths as part of the
  /// body.
  private func checkCodings() throws(TransportError) {
    guard !head.isComplete, head.status >= 200, hasBody, let name = head.fields.last?.name else { return }
    switch name.utf8.count {
    case 16 where shape.decompresses && name.equalsIgnoringASCIICase("content-encoding"):
      let codings = head.tokens(of: name).filter { $0 != "identity" && $0 != "none" }
      if codings.count > 1, let core, codings.allSatisfy(core.settings.library.encodings.contains) {
        throw .malformedResponse(reason: "the response body is compressed more than once")
      }
    case 17 where name.equalsIgnoringASCIICase("transfer-encoding"):
      guard head.tokens(of: name).allSatisfy({ $0 == "chunked" || $0 == "identity" }) else {
        throw .malformedResponse(reason: "the response uses a transfer coding that was not requested")
      }
    default: return
    }
  }

  /// Leaves a body with an unknown encoding unchanged, as browsers do with `Content-Encoding: utf-8` and the like.
  /// Since 8.5 libcurl has already decided at this point, and fails.
  private func leaveUnknownEncoding() {
    guard shape.decompresses, let core, let easy else { return }
    let known = core.settings.library.encodings
    guard head.tokens(of: "Content-Encoding").contains(where: { !known.contains($0) }) else { return }
    easy.set(CURLOPT_HTTP_CONTENT_DECODING, 0)
    isLeftEncoded = true
    hasOwnOptions = true
  }

  private var hasBody: Bool { request.method != .head && head.status != 204 && head.status != 304 }

  /// Receives bytes of the body, decompressed if requested. Returns their number to continue.
  func receiveBody(_ bytes: UnsafeRawBufferPointer) -> Int {
    noteActivity()
    let limit = request.limits.body(forStatus: head.status)
    guard bytes.count <= limit - received else {
      failure = .tooLarge(.body, limit: limit)
      return -1
    }
    if let stream {
      switch stream.offer(bytes) {
      case .full:
        isReceivingPaused = true
        core?.reschedule(self)
        return Int(CURL_WRITEFUNC_PAUSE)  // libcurl buffers these bytes and delivers them again
      case .taken(let hasWaiter):
        if hasWaiter { core?.schedule(.wake(stream)) }
      }
    } else {
      body.append(contentsOf: bytes)
    }
    received += bytes.count
    return bytes.count
  }

  /// Fills the buffer from the request's body. Returns the number of bytes, 0 at the end.
  func sendBody(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    noteActivity()
    guard let upload, let core else { return Int(CURL_READFUNC_ABORT) }
    switch upload.read(into: buffer) {
    case .bytes(let count):
      if count > 0, let progress = request.uploadProgress {
        core.schedule(.progress(progress, sent: upload.sent, total: upload.length))
      }
      return count
    case .wait(let demand):
      isSendingPaused = true
      if let demand { core.schedule(.read(demand)) }
      return Int(CURL_READFUNC_PAUSE)
    case .failed(let error):
      failure = .requestBody(error)
      return Int(CURL_READFUNC_ABORT)
    }
  }

  private func noteActivity() {
    guard let core else { return }
    lastActivity = core.now
    core.markActive(self)
  }
}
#endif
