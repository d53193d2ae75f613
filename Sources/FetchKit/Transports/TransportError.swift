/// An error thrown by a transport. The set of cases is closed and the same for every transport.
///
/// The descriptions of these errors never contain header field values or URL queries.
///
/// <doc:WhenSomethingGoesWrong> lists the cause of each case and explains how to handle it.
public enum TransportError: Error, Sendable {
  /// The request is invalid and cannot be sent. For example, the URL has no host, the scheme is not `http` or `https`,
  /// a header field contains a line break, or a GET request has a body. Sending the same request again fails with the
  /// same error.
  case invalidRequest(reason: String)
  /// The connection could not be opened, or it was lost.
  case connection(ConnectionFailure, detail: String)
  /// A timeout expired.
  case timeout(TimeoutPhase)
  /// The task was cancelled.
  case cancelled
  /// A part of the response is larger than the request's ``ResponseLimits`` allow.
  case tooLarge(ResponsePart, limit: Int)
  /// The response is not HTTP, its head is incomplete, or its body cannot be decompressed.
  case malformedResponse(reason: String)
  /// The request's body could not be read, because its source threw the associated error.
  case requestBody(any Error)
}

/// The cause of a connection failure.
///
/// <doc:WhenSomethingGoesWrong> lists the cause of each case and explains how to handle it.
public enum ConnectionFailure: Sendable, Hashable {
  /// The peer refused the connection or could not be reached. Nothing was sent.
  case refused
  /// The device has no network connection that the request is allowed to use, for example because it is in airplane
  /// mode. Nothing was sent.
  ///
  /// Only ``URLSessionTransport`` on Apple platforms reports this failure.
  case offline
  /// The host name could not be resolved. Nothing was sent.
  case nameNotResolved
  /// The process or the system has no file descriptors or memory left for a connection. Nothing was sent.
  case noResources
  /// The connection was lost before the response was complete. The server may have processed the request.
  case lost
  /// The server has promised that it has not processed the request, as an HTTP/2 server does that is overloaded or
  /// shuts down (RFC 9113 §6.8).
  ///
  /// Only ``CurlTransport`` reports this failure.
  case unprocessed
  /// The TLS handshake failed, or the certificate was not accepted. Nothing was sent.
  case tls
  /// The connection to the proxy or through the proxy could not be established. Nothing was sent.
  case proxy
}

/// The timeout that expired.
///
/// <doc:WhenSomethingGoesWrong> lists the cause of each case and explains how to handle it.
public enum TimeoutPhase: Sendable, Hashable {
  /// The ``Timeouts/connect`` timeout. Nothing was sent.
  case connect
  /// The ``Timeouts/idle`` timeout.
  case idle
  /// The ``Timeouts/total`` timeout.
  case total
}

/// The part of a response that exceeded its limit.
///
/// <doc:WhenSomethingGoesWrong> lists the cause of each case and explains how to handle it.
public enum ResponsePart: Sendable, Hashable {
  /// The header fields.
  case headers
  /// The body, after decompression.
  case body
}

extension TransportError: CustomStringConvertible {
  /// A one-sentence description for logs.
  public var description: String {
    switch self {
    case .invalidRequest(let reason): "invalid request: \(reason)"
    case .connection(let fault, let detail): detail.isEmpty ? fault.text : "\(fault.text) (\(detail))"
    case .timeout(.connect): "no connection within the connect timeout"
    case .timeout(.idle): "no byte sent or received within the idle timeout"
    case .timeout(.total): "not complete within the total timeout"
    case .cancelled: "cancelled"
    case .tooLarge(.headers, let limit): "the response's header is larger than \(limit) bytes"
    case .tooLarge(.body, let limit): "the response's body is larger than \(limit) bytes"
    case .malformedResponse(let reason): "malformed response: \(reason)"
    case .requestBody(let cause): "the request's body could not be read: \(type(of: cause))"
    }
  }
}

extension ConnectionFailure {
  /// Whether the server cannot have processed the request, and another attempt may succeed.
  var isTransientBeforeSending: Bool {
    switch self {
    case .refused, .offline, .nameNotResolved, .noResources, .unprocessed: true
    case .lost, .tls, .proxy: false
    }
  }

  var text: String {
    switch self {
    case .refused: "connection refused"
    case .offline: "no network connection"
    case .nameNotResolved: "the host's name could not be resolved"
    case .noResources: "no file descriptor or memory left for a connection"
    case .lost: "connection lost"
    case .unprocessed: "the server did not process the request"
    case .tls: "secure connection failed"
    case .proxy: "the proxy could not be used"
    }
  }
}
