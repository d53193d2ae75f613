/// Sends requests with Foundation's URLSession: the default on Apple's platforms, available on Linux.
///
/// One session serves for the transport's life; it stores no cache, cookies or credentials. Deadlines and limits are
/// kept here, on a monotonic clock, not by URLSession.
///
/// What URLSession cannot do or tell, and so this transport neither:
/// - It does not say when a connection stands: ``Deadlines/connect`` is not watched, and a peer that never accepts ends
///   with ``Deadlines/idle``.
/// - It cannot be held back: a stream whose consumer is slow waits in memory, up to ``ResponseLimits/body``. Where that
///   is no limit (`Int.max`), as for an ``EventStream``, 16 MiB may wait, and more is
///   ``TransportError/tooLarge(_:limit:)``.
/// - The order of header fields is lost, and fields of one name are joined with a comma.
/// - A body that is read from a stream is written to a temporary file first, and one without a content type goes as
///   `application/octet-stream`.
///
/// On Linux, besides: a server that closes or falls silent in the middle of a response's head, and one that breaks off
/// an upload from a file or a stream, end the *process* (Swift 6.3); requests that must not be repeated have
/// connections of their own, closed afterwards, since URLSession sends any again when a kept one dies, and there an
/// upload that it sends again may end with ``Deadlines/idle``; a head with `Name:value` without a space, or with bytes
/// that are not UTF-8, is a malformed response; the hosts of URLs cannot be IPv6 literals, and dot segments in their
/// paths are resolved; the environment's `http_proxy` and its like are always obeyed; over https a malformed head
/// cannot be told from failed TLS; a body that comes faster than it is taken piles up in memory, and neither a cancel
/// nor a limit stops it before the server pauses.
public final class URLSessionTransport: Transport {
  private let core: URLSessionCore

  /// A transport with its own session.
  ///
  /// - Parameter connectionsPerHost: How many requests to one host run at a time; others wait their turn, which counts
  ///   for the total deadline and not for the idle one.
  public convenience init(connectionsPerHost: Int = 6) {
    self.init(connectionsPerHost: connectionsPerHost, mostWaitingBytes: 16 << 20)
  }

  init(connectionsPerHost: Int = 6, mostWaitingBytes: Int) {
    core = URLSessionCore(tasksPerHost: max(1, connectionsPerHost), mostWaitingBytes: mostWaitingBytes)
  }

  deinit {
    core.invalidate()
  }

  /// Sends the request and returns the answer.
  ///
  /// - Throws: the ``TransportError`` that ended it.
  public func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
    try request.validate()
    try validateFile(of: request)
    let exchange = URLSessionExchange(request, core)
    let result = await withTaskCancellationHandler {
      await exchange.response()
    } onCancel: {
      exchange.cancel()
    }
    return try result.get()
  }

  private func validateFile(of request: TransportRequest) throws(TransportError) {
    guard case .file(let file) = request.body.content else { return }
    let length: Int64
    do { length = try file.lengthOfRegularFile() } catch { throw .requestBody(error) }
    try request.validate(length: length)
  }
}
