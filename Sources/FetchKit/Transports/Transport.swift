/// A type that sends a request to a server and returns the response. A ``FetchClient`` uses a transport to access the
/// network.
///
/// ```swift
/// struct Offline: Transport {
///   func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
///     guard request.method == .get else { throw .connection(.offline, detail: "no network") }
///     return TransportResponse(head: ResponseHead(status: 200), body: ResponseBody(Data("ok".utf8)))
///   }
/// }
/// ```
///
/// A transport sends a request once and returns the response, regardless of its status code. The transport does not
/// follow redirects, store cookies, answer authentication challenges, cache responses or retry requests. The only
/// exception is a reused connection that turns out to be dead: the transport can then send the request again, but
/// only if ``TransportRequest/allowsResend`` is true or an HTTP/2 server has guaranteed that it has not processed the
/// request (RFC 9113 §6.8).
///
/// - Every call ends exactly once, with a response or a ``TransportError``. In every phase of the request, cancelling
///   the calling task ends the call with ``TransportError/cancelled``, and nothing is delivered afterward.
/// - With ``TransportRequest/Delivery/whole``, the call returns when the body is complete, and the response contains
///   the body. With ``TransportRequest/Delivery/stream``, the call returns when the head is complete. The body is then
///   read from the network as it is consumed, and later errors are thrown during iteration.
/// - The connect timeout and the total timeout are measured from the start of the call. All timeouts use a clock that
///   is not affected by changes to the system time.
/// - The same failure produces the same error with every transport. If a transport cannot distinguish two failures, its
///   documentation says so.
nonisolated public protocol Transport: Sendable {
  /// Sends the request and returns the response.
  ///
  /// - Throws: The ``TransportError`` that ended the request.
  func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse
}

/// A response, which consists of a head and a body.
public struct TransportResponse: Sendable {
  /// The status, the header fields, and information about how the response was received.
  public var head: ResponseHead
  /// The body. If the delivery is ``TransportRequest/Delivery/whole``, the body is complete. If the delivery is
  /// ``TransportRequest/Delivery/stream``, the body is read from the network as it is consumed.
  public var body: ResponseBody

  /// Creates a response with the given head and body.
  public init(head: ResponseHead, body: ResponseBody) {
    self.head = head
    self.body = body
  }
}
