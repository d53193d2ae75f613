#if canImport(CLarderCurl)
internal import CLarderCurl
internal import Foundation

/// One request in flight.
///
/// `@unchecked Sendable`: the constants are set by the initializer on the caller's thread and only read afterward.
/// Every variable is used only by the ``CurlCore``, on one thread at a time under the loop's lock. The only exception
/// is the answer: the core sets it before it resumes the waiter, which then takes it.
final class CurlTransfer: Deadlined, @unchecked Sendable {
  /// Not checked at run time: the core takes it away from the transfer when it resumes it, so it is resumed once.
  typealias Waiter = CheckedContinuation<Void, Never>

  let request: TransportRequest
  let url: String
  let isTLS: Bool
  let isInsecure: Bool
  let mayUseProxy: Bool
  let headers: CurlHeaderBlock
  var shape: CurlEasy.Shape
  let originName: String
  let upload: CurlUpload?
  let startedAt: Int
  let totalDue: Int
  private let connectDue: Int
  private let idle: Int

  var state = CurlTransferState()
  var head = CurlResponseHeadReader()
  var body = CurlBody()
  var waiter: Waiter?
  var answer: Result<CurlAnswer, TransportError>?
  var core: CurlCore?
  var easy: CurlEasy?
  /// The pool that contains the transfer while libcurl processes it.
  var pool: CurlPool?
  /// Set while the transfer is in flight and offers HTTP/2.
  var origin: CurlOrigin?
  var heapIndex = 0
  /// When the transfer was passed to libcurl, whose measurements start here.
  var handedOverAt = 0
  var lastActivity = 0
  /// The bytes that libcurl had moved at the end of the last turn with a callback.
  var lastMoved = 0

  /// - Parameter request: A request that ``TransportRequest/validate()`` accepts.
  init(_ request: TransportRequest, _ settings: CurlSettings) throws(TransportError) {
    let prepared = try CurlRequest(request, settings.headerBlocks)
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
    isInsecure = isTLS && settings.tls(for: prepared.host).isInsecure
    if case .none = settings.proxy { mayUseProxy = false } else { mayUseProxy = true }
    headers = prepared.headers
    originName = prepared.origin
    let mayUseHTTP2 = settings.allowsHTTP2 && (request.delivery == .whole || settings.streamsOverHTTP2)
    shape = CurlEasy.Shape(
      isTLS: isTLS, host: isTLS && settings.hostsDiffer ? prepared.host : nil, method: request.method,
      allowsHTTP2: isTLS && mayUseHTTP2, decodes: prepared.decodes)
    upload = try CurlUpload(request.body, declaredLength: prepared.declaredLength)
  }

  /// When to check the transfer next: at the first deadline that can pass in its current state.
  var due: Int {
    guard state.attempts > 0 else { return min(totalDue, connectDue) }
    guard idle != .max, !state.pauses.contains(.receiving) else { return totalDue }
    return min(totalDue, lastActivity + idle)
  }

  /// Rewinds the request's body, if there is one, for another attempt.
  func rewindBody() -> Bool {
    upload?.rewind() ?? true
  }

  /// The head as received so far.
  func responseHead() -> ResponseHead {
    ResponseHead(
      status: head.status, headers: HTTPHeaders(head.fields), version: head.version,
      remoteAddress: easy?.string(CURLINFO_PRIMARY_IP), isInsecure: isInsecure, timings: timings(),
      codingRemoved: body.codingRemoved)
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
