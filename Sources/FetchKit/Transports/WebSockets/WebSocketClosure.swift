/// Why a WebSocket was closed, as the side that closed it says (RFC 6455 §7.1.5).
public struct WebSocketClosure: Sendable, Hashable {
  /// A status code of a closure.
  public struct Code: RawRepresentable, Sendable, Hashable {
    /// The number, for example 1000.
    public var rawValue: UInt16

    /// Creates a code. 4000 to 4999 are for your own use.
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// 1000: the purpose of the connection is fulfilled.
    public static let normal = Code(rawValue: 1000)
    /// 1001: the server shuts down, or the user has left.
    public static let goingAway = Code(rawValue: 1001)
    /// 1002: the other side violated the protocol.
    public static let protocolError = Code(rawValue: 1002)
    /// 1003: the type of a message cannot be accepted.
    public static let unsupportedData = Code(rawValue: 1003)
    /// 1005: the other side closed the connection and gave no code. Never sent.
    public static let noStatus = Code(rawValue: 1005)
    /// 1007: a text message is not UTF-8, or a message is not what its type says.
    public static let invalidPayload = Code(rawValue: 1007)
    /// 1008: a message violates a policy.
    public static let policyViolation = Code(rawValue: 1008)
    /// 1009: a message is too large.
    public static let messageTooBig = Code(rawValue: 1009)
    /// 1010: the server lacks an extension that the client needs.
    public static let mandatoryExtension = Code(rawValue: 1010)
    /// 1011: the server cannot fulfill the request.
    public static let internalError = Code(rawValue: 1011)
    /// 1012: the server restarts.
    public static let serviceRestart = Code(rawValue: 1012)
    /// 1013: the server is overloaded.
    public static let tryAgainLater = Code(rawValue: 1013)

    /// Whether the code can be in a frame: 1004, 1005, 1006 and 1015 cannot, nor can numbers without a meaning.
    var isSendable: Bool {
      switch rawValue {
      case 1000...1003, 1007...1014, 3000...4999: true
      default: false
      }
    }
  }

  /// The status code.
  public var code: Code
  /// A text for people who debug, of at most 123 bytes.
  public var reason: String

  /// Whether a frame can contain the closure.
  package var isSendable: Bool { code.isSendable && reason.utf8.count <= 123 }

  /// Creates a closure.
  public init(_ code: Code = .normal, reason: String = "") {
    self.code = code
    self.reason = reason
  }
}
