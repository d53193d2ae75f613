/// What carries one request to a server and its answer back: the seam between the pipeline and the network.
///
/// A transport sends a request once and hands back what came, whatever its status. It follows no redirects, keeps no
/// cookies, answers no authentication challenge, caches nothing and does not retry; the one thing it may send a second
/// time is a request on a kept-alive connection that turns out dead, and only when ``TransportRequest/mayResend`` says
/// so, or when an HTTP/2 server has promised that it has not processed it (RFC 9113 §6.8).
///
/// - Every call ends exactly once: with a response, or with a ``TransportError``. Cancelling the task ends it
///   with ``TransportError/cancelled``, whichever phase it is in; nothing is delivered afterwards.
/// - With ``TransportRequest/Delivery/whole`` the transport returns when the body is complete, and the response holds
///   it. With ``TransportRequest/Delivery/stream`` it returns when the head is complete; the body is read from the
///   network as it is consumed, and failures after the head are thrown from the body's iteration.
/// - Deadlines run from the call, on a clock that no change of the system's time touches.
/// - The same fault gives the same error on every transport; where one cannot tell, its documentation says so.
public protocol Transport: Sendable {
  /// Sends the request and returns the answer.
  ///
  /// - Throws: the ``TransportError`` that ended it.
  func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse
}
