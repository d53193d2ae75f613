#if canImport(CLarderCurl)
internal import CLarderCurl
internal import Foundation

/// The bytes that libcurl passes in and asks for.
extension CurlTransfer {
  /// Receives one line of a head or trailer. Returns its length to continue.
  func receiveHeader(_ line: UnsafeRawBufferPointer) -> Int {
    noteActivity()
    if head.isComplete, line.count > 2 { noteTrailer() }
    do throws(TransportError) {
      let completes = try head.read(line)
      let limit = min(request.limits.headers, CurlFaults.largestHead)
      guard head.count <= limit else { throw .tooLarge(.headers, limit: limit) }
      if completes { return try completeHead() ? line.count : -1 }
      try checkTransferCodings()
      return line.count
    } catch {
      fail(error)
      return -1
    }
  }

  /// Closes the connection after trailers: on a kept HTTP/1 connection libcurl would leak their memory.
  private func noteTrailer() {
    guard head.version.major == 1, core?.settings.library.leaksTrailers == true else { return }
    setForThisResponse(CURLOPT_FORBID_REUSE, 1)
  }

  /// Returns false if the transfer has to be stopped without an error.
  private func completeHead() throws(TransportError) -> Bool {
    guard let core, let connection = state.connection else { return false }
    let isMultiplexed = head.version.major >= 2
    core.sockets.noteAnswer(on: connection.port, isMultiplexed: isMultiplexed)
    origin?.note(isMultiplexed: isMultiplexed)
    if isAnswerToNothing(on: connection) {
      head = CurlResponseHeadReader()
      state.noteUnprocessed()
      stop(.mustMove(toNew: true))
      return false
    }
    state.answer()
    if head.framing.contains(.length) {
      try ContentLength.check(head.fields, ofStatus: head.status, to: request.method)
    }
    try chooseDecoding(core.settings.library)
    // Compressed data may say it, at its end.
    if hasOpenEnd, requiresKnownLength, !body.isInflated { throw CurlBody.openEnd }
    if isTLS, hasOpenEnd { setForThisResponse(CURLOPT_VERBOSE, 1) }  // for TLS's closing message
    let announced = hasBody ? easy?.offset(CURLINFO_CONTENT_LENGTH_DOWNLOAD_T) ?? -1 : 0
    let limit = request.limits.body(forStatus: head.status)
    guard announced <= limit else { throw .tooLarge(.body, limit: limit) }
    if body.channel != nil {
      core.respond(to: self, with: .success(CurlAnswer(head: responseHead(), body: Data())))
    } else if announced > 0 {
      body.expect(announced)
    }
    return true
  }

  /// Whether the response is a 408 on a kept connection: the server gave up waiting for a request when this one was on
  /// its way, and has not read it (RFC 9110 §15.5.9). A server that took longer may have worked on it.
  private func isAnswerToNothing(on connection: CurlTransferState.Connection) -> Bool {
    guard head.status == 408, connection.isReused, state.attempts == 1, head.version.major == 1,
      head.tokens(of: "Connection").contains("close"), head.tokens(of: "Retry-After").isEmpty, let core,
      request.allowsResend || core.now - connection.sentAt < 1_000_000_000
    else { return false }
    return rewindBody()
  }

  private var hasBody: Bool { request.method != .head && head.status != 204 && head.status != 304 }

  /// Checks the transfer codings so far. Any but `chunked` was not requested (RFC 9112 §7.4). libcurl before 8.1
  /// unpacks it anyway, and versions up to 8.13 treat chunk lengths as part of the body.
  private func checkTransferCodings() throws(TransportError) {
    guard head.framing.contains(.transferCoding), !head.isComplete, head.status >= 200, hasBody else { return }
    guard head.tokens(of: "Transfer-Encoding").allSatisfy({ $0 == "chunked" || $0 == "identity" }) else {
      throw .malformedResponse(reason: "the response uses a transfer coding that was not requested")
    }
  }

  /// Decides who removes the content coding: zlib, which knows whether a body is whole, or libcurl, which knows more
  /// codings. A body with an unknown coding is left unchanged, as browsers do with `Content-Encoding: utf-8` and the
  /// like. So is a part of a body, which cannot be decompressed alone.
  ///
  /// A body that is compressed several times is refused. It can take seconds to unpack before its first byte arrives
  /// here, and during that time no limit or deadline of any request is checked.
  private func chooseDecoding(_ library: CurlLibrary) throws(TransportError) {
    guard head.framing.contains(.contentCoding), shape.decodes, hasBody else { return }
    let codings = head.tokens(of: "Content-Encoding").filter { $0 != "identity" && $0 != "none" }
    guard let name = codings.first else { return }
    let isKnown = codings.allSatisfy { Inflater.Coding($0) != nil || library.decoders.contains($0) }
    if isKnown, codings.count > 1 {
      throw .malformedResponse(reason: "the response body is compressed more than once")
    }
    if isKnown, head.status != 206 {
      if let coding = Inflater.Coding(name) {
        body.decoding = .inflater(Inflater(coding), name: name)
      } else {
        body.decoding = .libcurl(name: name)
        return
      }
    }
    if !library.decoders.isEmpty { setForThisResponse(CURLOPT_HTTP_CONTENT_DECODING, 0) }
  }

  /// Whether the end of the connection is the end of the body (RFC 9112 §6.3). Over HTTP/2, libcurl does not report
  /// whether a body without a length has ended or was reset.
  var hasOpenEnd: Bool {
    guard hasBody, !head.framing.contains(.length) else { return false }
    return head.version.major != 1 || head.tokens(of: "Transfer-Encoding").last != "chunked"
  }

  /// The bodies of redirects are discarded.
  var requiresKnownLength: Bool {
    request.limits.requiresKnownLength && ![301, 302, 303, 307, 308].contains(head.status)
  }

  /// Sets an option that the handle must not keep.
  private func setForThisResponse(_ option: CURLoption, _ value: Int) {
    easy?.set(option, value)
    easy?.shape = nil
  }

  /// Receives bytes of the body. Returns their number to continue.
  func receiveBody(_ bytes: UnsafeRawBufferPointer) -> Int {
    noteActivity()
    do throws(TransportError) {
      let (isTaken, hasReader) = try body.receive(bytes, limit: request.limits.body(forStatus: head.status))
      if hasReader, let channel = body.channel { core?.schedule(.deliver(channel)) }
      if isTaken { return bytes.count }
      state.pauses.insert(.receiving)
      return Int(CURL_WRITEFUNC_PAUSE)  // libcurl buffers these bytes and delivers them again
    } catch {
      fail(error)
      return -1
    }
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
      state.pauses.insert(.sending)
      if let demand { core.schedule(.read(demand)) }
      return Int(CURL_READFUNC_PAUSE)
    case .failed(let error):
      fail(.requestBody(error))
      return Int(CURL_READFUNC_ABORT)
    }
  }
}
#endif
