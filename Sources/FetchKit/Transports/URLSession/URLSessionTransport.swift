/// A transport that uses Foundation's URLSession. This transport is the default on Apple platforms and is also
/// available on Linux.
///
/// The transport creates its own URL sessions, which do not store responses, cookies or credentials. The transport
/// itself, not URLSession, enforces timeouts and limits, and it measures the timeouts with a monotonic clock.
///
/// URLSession imposes these restrictions:
/// - URLSession does not report when a connection is established. The ``Timeouts/connect`` timeout is therefore not
///   enforced, and a request to a peer that never accepts the connection ends with the ``Timeouts/idle`` timeout.
/// - If the consumer of a stream is slow, the URLSession task is suspended once ``Configuration/streamBuffer`` bytes
///   are waiting to be read, and the task is resumed when these bytes have been read. Bytes that arrive after the task
///   has been suspended accumulate in memory, up to the limit set by ``ResponseLimits/body``. If
///   ``ResponseLimits/body`` is `Int.max`, as for an ``EventStream``, up to 16 MiB can accumulate. If more bytes
///   arrive, the request fails with ``TransportError/tooLarge(_:limit:)``.
/// - The order of header fields is lost, and fields with the same name are joined with a comma.
/// - A streamed request body is written to a temporary file first, and a body without a content type is sent as
///   `application/octet-stream`.
///
/// - On Apple platforms, URLSession may resend a request on its own if a reused connection has closed, and it
///   reports only one outcome. Apple does not document whether URLSession also resends requests that are not
///   idempotent, such as POST requests. If a second delivery would be harmful, give the request an idempotency key that
///   the server checks.
///
/// On Linux, these restrictions also apply:
/// - The *process* is terminated if a server closes the connection or stops sending in the middle of a response head,
///   or if it aborts an upload from a file or a stream (Swift 6.3).
/// - URLSession resends any request if a reused connection dies. A request that must not be repeated is therefore sent
///   on a separate connection, which is closed afterward. A resent upload can end with the ``Timeouts/idle`` timeout.
/// - A response is treated as malformed if a header field has no space after the colon (`Name:value`), or if the head
///   contains bytes that are not valid UTF-8.
/// - A URL's host cannot be an IPv6 literal, and dot segments in its path are resolved.
/// - The environment variables that specify proxies, such as `http_proxy`, always apply.
/// - Over https, a malformed head cannot be distinguished from a failed TLS handshake.
/// - The transport does not suspend tasks, because a suspended task starts over when it is resumed. A body that arrives
///   faster than it is consumed accumulates in memory. The transfer continues until the server pauses, even if the
///   request is cancelled or the response exceeds a limit.
/// - Pinned keys and client certificates are not supported. A request to a host with pinned keys or a client
///   certificate is not sent.
public final class URLSessionTransport: InterruptibleTransport {
  private let core: URLSessionCore
  private let tls: HostTLSSettings

  /// Creates a transport with its own URL sessions and the given configuration.
  public convenience init(_ configuration: Configuration = Configuration()) {
    self.init(configuration, mostWaitingBytes: 16 << 20)
  }

  init(
    _ configuration: Configuration = Configuration(), mostWaitingBytes: Int, canPause: Bool = URLSessionCore.canPause
  ) {
    core = URLSessionCore(configuration, mostWaitingBytes: mostWaitingBytes, canPause: canPause)
    tls = HostTLSSettings(configuration)
  }

  deinit {
    core.invalidate()
  }

  /// Sends the request and returns the response.
  ///
  /// - Throws: The ``TransportError`` that ended the request.
  public func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
    try request.validate()
    try validateFile(of: request)
    let host = try tls.settings(for: request.url)
    #if !canImport(Darwin)
    guard host == nil else {
      throw .invalidRequest(
        reason: "URLSession on Linux cannot check pinned keys or present client certificates; use CurlTransport")
    }
    #endif
    let exchange = URLSessionExchange(request, core, host: host)
    guard request.wait?.ends(by: { exchange.cancel() }) ?? true else { throw .cancelled }
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
