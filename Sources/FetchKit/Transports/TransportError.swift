/// Why a transport did not deliver a response: a closed set, the same for every transport.
///
/// Texts in it never hold a header's value or a URL's query.
public enum TransportError: Error, Sendable {
  /// The request cannot be sent as it is: no host, another scheme than `http` and `https`, a line break in a header, a
  /// body on a GET. Sending it again does not help.
  case invalidRequest(reason: String)
  /// No connection, or none any more.
  case connection(ConnectionFault, detail: String)
  /// A deadline passed.
  case timeout(TimeoutPhase)
  /// The task was cancelled.
  case cancelled
  /// The response is larger than ``ResponseLimits`` allow.
  case tooLarge(ResponsePart, limit: Int)
  /// What came is not HTTP, or not a whole head, or a body that cannot be decompressed.
  case malformedResponse(reason: String)
  /// The source of the request's body failed; what it threw.
  case requestBody(any Error)
}

/// What went wrong with a connection.
public enum ConnectionFault: Sendable, Hashable {
  /// The peer refused, or there is no way to it. Nothing was sent.
  case refused
  /// The host's name has no address. Nothing was sent.
  case nameNotResolved
  /// The process or the system has no file descriptor, or no memory, left for a connection. Nothing was sent.
  case noResources
  /// A connection was there and went away before the response was complete; the server may have acted on the request.
  case lost
  /// TLS could not be agreed, or the certificate was not accepted. Nothing was sent.
  case tls
  /// The proxy could not be used. Nothing was sent.
  case proxy
}

/// The deadline that passed.
public enum TimeoutPhase: Sendable, Hashable {
  /// ``Deadlines/connect``: nothing was sent.
  case connect
  /// ``Deadlines/idle``.
  case idle
  /// ``Deadlines/total``.
  case total
}

/// The part of a response that was too large.
public enum ResponsePart: Sendable, Hashable {
  /// The header fields.
  case headers
  /// The body, after decompression.
  case body
}

extension TransportError: CustomStringConvertible {
  /// A sentence fit for a log.
  public var description: String {
    switch self {
    case .invalidRequest(let reason): "invalid request: \(reason)"
    case .connection(let fault, let detail): detail.isEmpty ? fault.text : "\(fault.text) (\(detail))"
    case .timeout(.connect): "no connection within the connect deadline"
    case .timeout(.idle): "no byte came or went within the idle deadline"
    case .timeout(.total): "not complete within the total deadline"
    case .cancelled: "cancelled"
    case .tooLarge(.headers, let limit): "the response's header is larger than \(limit) bytes"
    case .tooLarge(.body, let limit): "the response's body is larger than \(limit) bytes"
    case .malformedResponse(let reason): "malformed response: \(reason)"
    case .requestBody(let cause): "the request's body could not be read: \(type(of: cause))"
    }
  }
}

extension ConnectionFault {
  /// Nothing was sent, and a moment later it may go well.
  var mayPassUnsent: Bool {
    switch self {
    case .refused, .nameNotResolved, .noResources: true
    case .lost, .tls, .proxy: false
    }
  }

  var text: String {
    switch self {
    case .refused: "connection refused"
    case .nameNotResolved: "the host's name could not be resolved"
    case .noResources: "no file descriptor or memory left for a connection"
    case .lost: "connection lost"
    case .tls: "no secure connection"
    case .proxy: "the proxy could not be used"
    }
  }
}
