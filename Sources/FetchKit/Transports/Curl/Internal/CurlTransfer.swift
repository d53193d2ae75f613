#if os(Linux)
internal import CLarderCurl
internal import Foundation

/// One request in flight.
///
/// `@unchecked Sendable`: the constants are set by the initializer on the caller's thread and only read afterward.
/// Every variable is used only by the ``CurlCore``, on one thread at a time under the loop's lock. The only exception
/// is the answer: the core sets it before it resumes the waiter, which then takes it.
final class CurlTransfer: @unchecked Sendable {
  typealias Waiter = CheckedContinuation<Void, Never>

  enum Phase {
    case new
    /// Cancelled before the message that starts it has been handled.
    case cancelledEarly
    case running
    case ended
  }

  let request: TransportRequest
  let url: String
  let isTLS: Bool
  let tls: CurlSettings.TLS
  let mayUseProxy: Bool
  let headers: CurlHeaderBlock?
  let shape: CurlEasy.Shape
  let originName: String
  let upload: CurlUpload?
  let stream: CurlStream?
  let startedAt: Int
  let totalDue: Int
  private let connectDue: Int
  private let idle: Int

  var phase = Phase.new
  var waiter: Waiter?
  var answer: Result<CurlAnswer, TransportError>?
  var core: CurlCore?
  var easy: CurlEasy?
  /// The pool that contains the transfer while libcurl processes it.
  var pool: CurlPool?
  /// Set while the transfer is in flight and offers HTTP/2.
  var origin: CurlOrigin?
  /// The index in the ``DeadlineQueue``.
  var heapIndex = 0
  /// When the transfer was passed to libcurl, whose measurements start here.
  var handedOverAt = 0
  var isConnected = false
  var isReceivingPaused = false
  var isSendingPaused = false
  var lastActivity = 0
  /// The bytes that libcurl had moved at the end of the last turn with a callback.
  var lastMoved = 0
  var isActiveThisTurn = false
  /// Why one of our callbacks stopped the transfer.
  var failure: TransportError?
  var attempts = 0
  /// The local port of the current connection.
  var localPort: Int32 = 0
  /// The number of the current use of a connection.
  var connectionUse = 0
  /// The number of the current connection, which distinguishes it from others with the same port; 0 if unknown.
  var connection = 0
  /// The stream on an HTTP/2 connection; nil unless libcurl has reported it.
  var streamID: Int?
  /// The TLS session of this stream's connection, used only for comparison.
  var tlsSession: UnsafeRawPointer?
  /// Whether the server has promised that it has not processed the last attempt.
  var isUnprocessed = false
  /// The number of attempts when the transfer was last restarted.
  var attemptsBefore = 0
  /// Whether the transfer was stopped before using a connection with unsolicited bytes, and has to move to another one.
  var mustMove = false
  /// Whether the transfer has to wait because another connection is being opened.
  var mustWait = false
  /// Whether the body is left encoded because its encoding is unknown.
  var isLeftEncoded = false
  /// Whether an option was set for this response only.
  var hasOwnOptions = false
  /// Whether libcurl was stopped from sending again after a complete response.
  var isAnswered = false
  var head = CurlResponseHeadReader()
  var body = Data()
  var received = 0

  init(_ prepared: CurlRequest, settings: CurlSettings) throws(TransportError) {
    let request = prepared.request
    self.request = request
    let now = MonotonicClock.now()
    startedAt = now
    totalDue = request.timeouts.total.map { now + $0.clampedNanoseconds } ?? .max
    connectDue = request.timeouts.connect.map { now + $0.clampedNanoseconds } ?? .max
    idle = request.timeouts.idle?.clampedNanoseconds ?? .max
    url = prepared.url
    isTLS = prepared.isTLS
    guard !isTLS || settings.library.hasTLS else {
      throw .connection(.tls, detail: CurlTransport.SetupError.missing(.tls).description)
    }
    tls = isTLS ? settings.tls(for: prepared.host) : CurlSettings.TLS()
    if case .none = settings.proxy { mayUseProxy = false } else { mayUseProxy = true }
    headers = prepared.headers
    originName = prepared.origin
    let mayUseHTTP2 = settings.allowsHTTP2 && (request.delivery == .whole || settings.streamsOverHTTP2)
    shape = CurlEasy.Shape(
      isTLS: isTLS, host: isTLS && settings.hostsDiffer ? prepared.host : nil, method: request.method,
      allowsHTTP2: isTLS && mayUseHTTP2, decompresses: prepared.decompresses)
    upload = try CurlUpload(request.body, declaredLength: prepared.declaredLength)
    stream = request.delivery == .stream ? CurlStream(highWater: settings.streamBuffer) : nil
  }

  /// When to check the transfer next: at the first deadline that can pass in its current state.
  var due: Int {
    guard isConnected else { return min(totalDue, connectDue) }
    guard idle != .max, !isReceivingPaused else { return totalDue }
    return min(totalDue, lastActivity + idle)
  }

  /// Whether to restart a request that the server has not processed and libcurl has abandoned. The number of restarts
  /// is limited, because a server could repeat its answer indefinitely. There is no restart if no connection was
  /// established since the last one.
  func restart() -> Bool {
    guard isUnprocessed, failure == nil, !isAnswered, head.count == 0, attempts < 30, attempts > attemptsBefore else {
      return false
    }
    attemptsBefore = attempts
    return upload == nil || rewindBody()
  }

  /// Rewinds the body for another attempt.
  func rewindBody() -> Bool {
    upload?.rewind() ?? false
  }

  /// The head as received so far.
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
      domainLookup: isNewConnection ? time(CURLINFO_NAMELOOKUP_TIME_T) : nil,
      connect: isNewConnection ? time(CURLINFO_CONNECT_TIME_T) : nil,
      tls: isNewConnection && isTLS ? time(CURLINFO_APPCONNECT_TIME_T) : nil,
      firstByte: time(CURLINFO_STARTTRANSFER_TIME_T), total: .nanoseconds(MonotonicClock.now() - startedAt))
  }

  /// Returns the answer with which the waiter was resumed. Called once, by the waiter.
  func takeAnswer() throws(TransportError) -> CurlAnswer {
    guard let answer else { preconditionFailure("a waiter was resumed without an answer") }
    self.answer = nil
    return try answer.get()
  }
}

/// The result of a successful transfer; for a stream, only the head.
struct CurlAnswer: Sendable {
  var head: ResponseHead
  var body: Data
}
#endif
