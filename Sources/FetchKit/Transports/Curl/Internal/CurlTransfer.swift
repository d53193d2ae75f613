#if os(Linux)
internal import CCurl
internal import Foundation

/// One request on its way.
///
/// `@unchecked Sendable`: the constants are set by the initializer on the caller's thread and only read afterwards;
/// every variable is touched only by the ``CurlCore``, which one thread at a time has, under the loop's lock. But for
/// the answer: the core sets it before it lets go of the waiter, which then takes it.
final class CurlTransfer: @unchecked Sendable {
  typealias Waiter = CheckedContinuation<Void, Never>

  enum Phase {
    case new
    /// Cancelled while the message that starts it is still on its way.
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
  /// The one it is in, while libcurl knows of it.
  var pool: CurlPool?
  /// While it is in flight and offers HTTP/2.
  var origin: CurlOrigin?
  /// In the ``DeadlineQueue``.
  var place = 0
  /// When libcurl got it; what it measures starts here.
  var handedOverAt = 0
  var isConnected = false
  var isReceivingPaused = false
  var isSendingPaused = false
  var lastActivity = 0
  /// Bytes libcurl had moved at the end of the last turn in which it called back.
  var lastMoved = 0
  var isTouched = false
  /// Why one of our callbacks stopped the transfer.
  var failure: TransportError?
  var attempts = 0
  /// The port, on this side, of the connection it is on.
  var localPort: Int32 = 0
  /// Which of all uses of connections its own is.
  var connectionUse = 0
  /// The number of the connection it is on, by which it differs from others that have, or had, its port; 0 if unknown.
  var connection = 0
  /// Its stream on an HTTP/2 connection, if libcurl has said so.
  var streamID: Int?
  /// What the connection of this stream has for TLS, only to be compared.
  var tlsSession: UnsafeRawPointer?
  /// Whether the server has promised that it has not processed the last attempt.
  var isUnprocessed = false
  /// How many attempts there had been when it was last started anew.
  var attemptsBefore = 0
  /// Whether it was kept from a connection on which bytes wait, and goes to another one.
  var mustMove = false
  /// Whether it was kept from opening a connection while another one opens, and waits.
  var mustWait = false
  /// Whether the body stays as it came, because its encoding is not known.
  var isLeftEncoded = false
  /// Whether an option was set for this answer alone.
  var hasOwnOptions = false
  /// Whether libcurl was kept from asking again after a whole answer.
  var isAnswered = false
  var head = CurlResponseHeadReader()
  var body = Data()
  var received = 0

  init(_ request: TransportRequest, settings: CurlSettings) throws(TransportError) {
    self.request = request
    let now = MonotonicClock.now()
    startedAt = now
    totalDue = request.deadlines.total.map { now + $0.clampedNanoseconds } ?? .max
    connectDue = request.deadlines.connect.map { now + $0.clampedNanoseconds } ?? .max
    idle = request.deadlines.idle?.clampedNanoseconds ?? .max
    let prepared = try CurlRequest(request)
    url = prepared.url
    isTLS = prepared.isTLS
    guard !isTLS || settings.library.hasTLS else {
      throw .connection(.tls, detail: CurlTransport.SetupError.missing(.tls).description)
    }
    tls = isTLS ? settings.tls(for: prepared.host) : CurlSettings.TLS()
    if case .none = settings.proxy { mayUseProxy = false } else { mayUseProxy = true }
    headers = prepared.headers
    originName = prepared.origin
    let mayUseHTTP2 = settings.offersHTTP2 && (request.delivery == .whole || settings.streamsByHTTP2)
    shape = CurlEasy.Shape(
      isTLS: isTLS, host: isTLS && settings.hostsDiffer ? prepared.host : nil, method: request.method,
      offersHTTP2: isTLS && mayUseHTTP2, decompresses: prepared.decompresses)
    upload = try CurlUpload(request.body, declaredLength: prepared.declaredLength)
    stream = request.delivery == .stream ? CurlStream(highWater: settings.streamBuffer) : nil
  }

  /// When to look at the transfer next: at the first deadline that could pass, given what is known now.
  var due: Int {
    guard isConnected else { return min(totalDue, connectDue) }
    guard idle != .max, !isReceivingPaused else { return totalDue }
    return min(totalDue, lastActivity + idle)
  }

  /// What the waiter was let go with. For the waiter, once.
  func takeAnswer() throws(TransportError) -> CurlAnswer {
    guard let answer else { preconditionFailure("a waiter was let go without an answer") }
    self.answer = nil
    return try answer.get()
  }
}

/// What a transfer ends with when it ends well; for a stream its head.
struct CurlAnswer: Sendable {
  var head: ResponseHead
  var body: Data
}
#endif
