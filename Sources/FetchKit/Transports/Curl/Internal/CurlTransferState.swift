#if canImport(CLarderCurl)
/// What a transfer is doing. Pure: commands and libcurl's reports change it, and the ``CurlCore`` acts on it.
///
/// ```
/// new ──start──▶ connecting ──attempt──▶ sent ──head──▶ answered ──▶ ended
///  │                 ▲  │                  │               │
///  └─cancel─▶ cancelledEarly               └────stop───────┴─▶ stopped ──▶ ended
///                    └────────────── waits, or moves ────────────┘
/// ```
struct CurlTransferState {
  enum Phase {
    case new
    /// Cancelled before the message that starts it has been handled.
    case cancelledEarly
    /// In libcurl or in line for a connection, without a connection that it uses.
    case connecting
    /// Sent on a connection; the head is not complete.
    case sent(Connection)
    /// The head is complete.
    case answered(Connection)
    /// Stopped by a callback. libcurl has not reported the end yet.
    case stopped(Stop)
    case ended
  }

  /// Why a callback stopped libcurl.
  enum Stop {
    /// Another connection to the server is being opened.
    case mustWait
    /// The kept connection was not usable, and the request has to move to another one, or to a new one.
    case mustMove(toNew: Bool)
    /// libcurl wanted to send the request again after a complete response.
    case isComplete
    case failed(TransportError)
  }

  /// A connection on which the request was sent.
  struct Connection: Equatable {
    /// The local port.
    var port: Int32 = 0
    /// The number of this use of the connection.
    var use = 0
    /// Distinguishes the connection from others with the same port; 0 if unknown.
    var number = 0
    /// Whether it has served another request before.
    var isReused = false
    /// When the request was sent, in nanoseconds.
    var sentAt = 0
    /// Whether the peer has sent TLS's closing message (RFC 8446 §6.1), after which nothing follows.
    var isClosed = false
    /// The stream of an HTTP/2 connection; nil unless libcurl has reported it.
    var stream: Stream?
  }

  struct Stream: Equatable {
    var id: Int
    /// The TLS session of the connection, used only for comparison.
    var session: UnsafeRawPointer?
  }

  /// What a transfer does when libcurl has reported its end.
  enum Ending {
    case wait
    case move(toNew: Bool)
    /// It has ended without an error of libcurl's.
    case complete
    case failed(TransportError)
    /// libcurl's code decides.
    case asReported
  }

  /// What libcurl waits for.
  struct Pauses: OptionSet {
    let rawValue: Int
    static let receiving = Pauses(rawValue: 1)
    static let sending = Pauses(rawValue: 2)
  }

  private(set) var phase = Phase.new
  /// How often the request was sent.
  private(set) var attempts = 0
  /// Whether the server has promised that it has not processed the last attempt.
  private(set) var isUnprocessed = false
  /// The number of attempts when the transfer was last restarted.
  private var attemptsBefore = 0
  /// How often a connection was ended, or the request refused, although it was the first on it.
  private var refusals = 0
  var pauses: Pauses = []

  /// How often a request is sent that loses its connection to others before it, whose number the server limits.
  private static let mostAttempts = 30

  var isRunning: Bool {
    switch phase {
    case .connecting, .sent, .answered, .stopped: true
    case .new, .cancelledEarly, .ended: false
    }
  }

  var connection: Connection? {
    switch phase {
    case .sent(let connection), .answered(let connection): connection
    default: nil
    }
  }

  /// Returns false if the transfer must not start.
  mutating func start() -> Bool {
    guard case .new = phase else { return false }
    phase = .connecting
    return true
  }

  /// Returns whether the transfer has to be ended.
  mutating func cancel() -> Bool {
    if case .new = phase { phase = .cancelledEarly }
    return isRunning
  }

  /// Returns false if the transfer had ended already.
  mutating func end() -> Bool {
    if case .ended = phase { return false }
    phase = .ended
    return true
  }

  /// Records whether a socket may be opened for a connection.
  mutating func open(isAllowed: Bool) {
    switch phase {
    case .connecting where !isAllowed, .sent where !isAllowed: phase = .stopped(.mustWait)
    case .stopped(.mustWait) where isAllowed: phase = .connecting
    default: break
    }
  }

  /// Stops the transfer, unless it has been stopped already.
  mutating func stop(_ stop: Stop) {
    if case .stopped(.failed) = phase { return }
    phase = .stopped(stop)
  }

  /// Records that the request is about to be sent on a connection.
  ///
  /// - Parameter mayRepeat: Whether the request can be sent twice even if the server may have processed it.
  /// - Returns: Whether it may be sent.
  mutating func attempt(on connection: Connection, mayRepeat: Bool) -> Bool {
    if case .stopped(.failed) = phase { return false }
    attempts += 1
    let isAllowed = attempts == 1 || mayRepeat || isUnprocessed
    isUnprocessed = false
    phase = .sent(connection)
    return isAllowed
  }

  mutating func note(_ stream: Stream) {
    guard case .sent(var connection) = phase else { return }
    connection.stream = stream
    phase = .sent(connection)
  }

  mutating func noteClosure() {
    guard case .answered(var connection) = phase else { return }
    connection.isClosed = true
    phase = .answered(connection)
  }

  /// Records that the server has promised not to have processed the last attempt.
  ///
  /// - Parameter error: The error code of HTTP/2. With most of them, and the second time that the first request on a
  ///   connection is concerned, the request is not sent again: the next connection would end the same way.
  mutating func noteUnprocessed(_ error: Int = 0) {
    isUnprocessed = true
    // libcurl numbers the streams of a connection 1, 3, 5 …
    if connection?.stream.map({ $0.id <= 1 }) ?? false { refusals += 1 }
    if ![0, 7, 13].contains(error) || refusals > 1 {
      stop(.failed(.connection(.unprocessed, detail: "HTTP/2 error \(error)")))
    }
  }

  /// Records that the head of the response is complete.
  mutating func answer() {
    if case .sent(let connection) = phase { phase = .answered(connection) }
  }

  /// Records that libcurl has reported the end.
  ///
  /// - Parameters:
  ///   - isSuccess: Whether libcurl reported no error.
  ///   - hasHead: Whether a byte of a response has arrived.
  mutating func reported(isSuccess: Bool, hasHead: Bool) -> Ending {
    switch phase {
    case .stopped(.mustWait) where !isSuccess:
      phase = .connecting
      return .wait
    case .stopped(.mustMove(let toNew)):
      phase = .connecting
      return .move(toNew: toNew)
    case .stopped(.isComplete): return .complete
    case .stopped(.failed(let error)): return .failed(error)
    // There is no restart if no connection was established since the last one.
    case .connecting, .sent:
      guard !isSuccess, isUnprocessed, !hasHead, attempts < Self.mostAttempts, attempts > attemptsBefore else {
        return .asReported
      }
      attemptsBefore = attempts
      phase = .connecting
      return .move(toNew: false)
    default: return .asReported
    }
  }
}
#endif
