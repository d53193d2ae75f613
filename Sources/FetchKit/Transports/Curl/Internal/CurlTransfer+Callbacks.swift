#if os(Linux)
internal import CCurl
internal import Foundation

/// What libcurl calls, always from inside a call of the ``CurlCore``. Nothing here may end the transfer or call
/// libcurl's multi.
extension CurlTransfer {
  /// The transfer libcurl was given as a context; nil for a null pointer.
  static func from<Result>(_ context: UnsafeMutableRawPointer?, _ body: (CurlTransfer) -> Result) -> Result? {
    // Unretained is right: the core's queue of deadlines holds the transfer for as long as libcurl knows of it.
    context.map { Unmanaged<CurlTransfer>.fromOpaque($0)._withUnsafeGuaranteedRef(body) }
  }

  /// The socket of a connection to be made for the transfer; -1 if there is none.
  func openSocket(_ address: curl_sockaddr) -> curl_socket_t {
    guard let core else { return -1 }
    mustWait = origin.map { !$0.mayOpen(for: self, at: core.now) } ?? false
    return mustWait ? -1 : core.openSocket(address)
  }

  /// Before each attempt to send, on a connection that stands.
  ///
  /// When a kept-alive connection dies without an answer libcurl sends again by itself, whatever the method: a POST
  /// that the server has acted on would come twice.
  func mayAttempt(from port: Int32) -> Bool {
    streamID = nil
    mustWait = false
    core?.noteConnection(of: self)
    if head.isComplete {
      // After a 417 to `Expect` libcurl would ask again without that field, which is the caller's. Any other answer was
      // broken off, as by HTTP/2's HTTP_1_1_REQUIRED.
      isAnswered = head.status == 417 && request.headers["Expect"] != nil
      if !isAnswered { failure = .connection(.lost, detail: "the server broke its answer off") }
      return false
    }
    localPort = port
    if let core, core.hasUnaskedBytes(on: port) {
      mustMove = true
      return false
    }
    connectionUse = core?.noteUse(of: port) ?? 0
    connection = core?.connection(on: port) ?? 0
    attempts += 1
    let mayRepeat = request.mayResend || isUnprocessed
    isUnprocessed = false
    guard attempts == 1 || mayRepeat else {
      failure = .connection(.lost, detail: "the kept-alive connection died, and the request must not be repeated")
      return false
    }
    // libcurl 7.88 goes back to the start of a body by itself only if a part of it was written: what it has only read,
    // as where the server's window is closed, would be missing.
    guard attempts == 1 || upload == nil || rewindBody() else {
      failure = .connection(.lost, detail: "the connection died, and the body can be read only once")
      return false
    }
    noteActivity()
    if !isConnected {
      isConnected = true
      core?.reschedule(self)
    }
    return true
  }

  /// Whether to start anew what the server has not processed and libcurl has given up. Bounded, because a server may
  /// say so for ever; and not where no connection stood since the last time.
  func startAnew() -> Bool {
    guard isUnprocessed, failure == nil, !isAnswered, head.count == 0, attempts < 30, attempts > attemptsBefore else {
      return false
    }
    attemptsBefore = attempts
    return upload == nil || rewindBody()
  }

  func receive(_ note: CurlHTTP2Note) {
    switch note {
    case .opened(let id):
      streamID = id
      tlsSession = easy?.tlsSession
      core?.noteStream()
      origin?.note(isMultiplexed: true)
    // Of whichever connection libcurl looks at on behalf of this transfer: it may be one that rests, to another server.
    case .ends(let lastStream):
      if let session = easy?.tlsSession { core?.noteEnd(of: session, lastStream: lastStream) }
    // A handle that was refused before says so of a connection that died, too.
    case .refused: if attempts == 1, core?.usesHandlesOnce == true { isUnprocessed = true }
    }
  }

  /// One line of a head or trailer; returns its length to go on.
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

  /// On a connection of HTTP/1 that goes on libcurl would lose the memory of it.
  private func noteTrailer() {
    guard head.version.major == 1, core?.leaksTrailers == true, let easy else { return }
    easy.set(CURLOPT_FORBID_REUSE, 1)
    hasOwnOptions = true
  }

  private func completeHead() throws(TransportError) {
    core?.noteAnswer(on: localPort, head.version)
    origin?.note(isMultiplexed: head.version.major >= 2)
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

  /// Whether the codings that the latest field names, with others of its name, are ones that may be undone.
  ///
  /// A body that is compressed several times can take seconds to unpack before a byte of it comes here, and meanwhile
  /// no limit or deadline is looked at, of any request. A transfer coding but `chunked` was not asked for (RFC 9112
  /// §7.4): libcurl before 8.1 unpacks it all the same, and up to 8.13 takes the lengths of chunks for a part of the
  /// body.
  private func checkCodings() throws(TransportError) {
    guard !head.isComplete, head.status >= 200, hasBody, let name = head.fields.last?.name else { return }
    switch name.utf8.count {
    case 16 where shape.decompresses && name.equalsIgnoringASCIICase("content-encoding"):
      let codings = head.tokens(of: name).filter { $0 != "identity" && $0 != "none" }
      if codings.count > 1, let core, codings.allSatisfy({ core.decompresses($0) }) {
        throw .malformedResponse(reason: "the body is compressed more than once")
      }
    case 17 where name.equalsIgnoringASCIICase("transfer-encoding"):
      guard head.tokens(of: name).allSatisfy({ $0 == "chunked" || $0 == "identity" }) else {
        throw .malformedResponse(reason: "a transfer coding that was not asked for")
      }
    default: return
    }
  }

  /// As browsers do with `Content-Encoding: utf-8` and the like. From 8.5 on libcurl has made up its mind before, and
  /// fails.
  private func leaveUnknownEncoding() {
    guard shape.decompresses, let core, let easy else { return }
    guard head.tokens(of: "Content-Encoding").contains(where: { !core.decompresses($0) }) else { return }
    easy.set(CURLOPT_HTTP_CONTENT_DECODING, 0)
    isLeftEncoded = true
    hasOwnOptions = true
  }

  private var hasBody: Bool { request.method != .head && head.status != 204 && head.status != 304 }

  /// Bytes of the body, decompressed if they are to be; returns their number to go on.
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
        return Int(CURL_WRITEFUNC_PAUSE)  // libcurl keeps these bytes and offers them again
      case .taken(let someoneWaits):
        if someoneWaits { core?.act(.wake(stream)) }
      }
    } else {
      body.append(contentsOf: bytes)
    }
    received += bytes.count
    return bytes.count
  }

  /// Fills the buffer from the request's body; returns how much, 0 at the end.
  func sendBody(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    noteActivity()
    guard let upload, let core else { return Int(CURL_READFUNC_ABORT) }
    switch upload.read(into: buffer) {
    case .bytes(let count):
      if count > 0, let progress = request.uploadProgress {
        core.act(.progress(progress, sent: upload.sent, total: upload.length))
      }
      return count
    case .wait(let demand):
      isSendingPaused = true
      if let demand { core.act(.read(demand)) }
      return Int(CURL_READFUNC_PAUSE)
    case .failed(let error):
      failure = .requestBody(error)
      return Int(CURL_READFUNC_ABORT)
    }
  }

  /// Goes back to the start of the body, for another attempt.
  func rewindBody() -> Bool {
    upload?.rewind() ?? false
  }

  private func noteActivity() {
    guard let core else { return }
    lastActivity = core.now
    core.touch(self)
  }

  /// The head as it is known now.
  func responseHead() -> ResponseHead {
    ResponseHead(
      status: head.status, headers: HTTPHeaders(head.fields), version: head.version,
      remoteAddress: easy?.string(CURLINFO_PRIMARY_IP), isInsecure: tls.isInsecure, timings: timings())
  }

  private func timings() -> TransportTimings {
    guard let easy else { return TransportTimings() }
    let wait = handedOverAt - startedAt
    func time(_ info: CURLINFO) -> Duration? {
      let microseconds = easy.offset(info)
      return microseconds > 0 ? .nanoseconds(wait + microseconds * 1000) : nil
    }
    let isNewConnection = easy.long(CURLINFO_NUM_CONNECTS) > 0
    return TransportTimings(
      nameLookup: isNewConnection ? time(CURLINFO_NAMELOOKUP_TIME_T) : nil,
      connect: isNewConnection ? time(CURLINFO_CONNECT_TIME_T) : nil,
      tls: isNewConnection && isTLS ? time(CURLINFO_APPCONNECT_TIME_T) : nil,
      firstByte: time(CURLINFO_STARTTRANSFER_TIME_T), total: .nanoseconds(MonotonicClock.now() - startedAt))
  }
}
#endif
