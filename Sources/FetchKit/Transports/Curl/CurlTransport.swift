#if canImport(CLarderCurl)
/// A transport that uses libcurl's multi interface. This transport is the default on Linux.
///
/// ```swift
/// let transport = try CurlTransport {
///   $0.pinnedPublicKeys["api.example.org"] = [
///     "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="
///   ]
/// }
/// let client = FetchClient { $0.transport = transport }
/// ```
///
/// One thread handles the responses to all requests of a transport. Connections are kept open and reused, and HTTP/2 is
/// used if a server offers it over TLS. The transport disables libcurl's own handling of redirects, cookies,
/// authentication and `.netrc`, and it allows only `http` and `https`.
///
/// The sender of a streamed body is paused once ``Configuration/streamBuffer`` bytes are waiting for the consumer. A
/// response is decompressed unless the request sets its own `Accept-Encoding`. The supported encodings are gzip and
/// deflate, and also brotli and zstd if libcurl supports them and is older than 8.5.
///
/// Keep one transport for as long as you make requests. The transport's connections are closed when the transport and
/// all bodies that it streams have been released.
///
/// - Requires: libcurl 7.80 or later. With libcurl 7.87 or later, a request that is cancelled during a name lookup ends
///   without waiting for the lookup. With earlier versions, the cancelled request and all other requests of the
///   transport wait for the lookup.
public final class CurlTransport: InterruptibleTransport, SocketTransport {
  let engine: any CurlEngine

  init(_ engine: any CurlEngine) {
    self.engine = engine
  }

  deinit {
    engine.stop()
  }

  /// Sends the request and returns the response. See ``Transport``.
  ///
  /// The upload progress counts bytes that have been passed to the socket layer. The header fields of a response are
  /// limited to 256 KiB, even if `limits.headers` is greater.
  public func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
    try await engine.send(request, for: self)
  }

  /// Opens a WebSocket. See ``SocketTransport``.
  ///
  /// The connection uses HTTP/1.1, even if the server offers HTTP/2, and goes through the proxy by `CONNECT`. The body
  /// of a refusal is empty if it is chunked. ``Timeouts/idle`` limits the handshake, not the open connection.
  public func openSocket(
    _ request: TransportRequest, _ options: WebSocketOptions
  ) async throws(TransportError) -> SocketResponse {
    try await engine.openSocket(request, options, for: self)
  }
}

/// What sends the requests of a transport. With it, the types of the configuration, which are nested in the transport,
/// lead to none of the files that send.
protocol CurlEngine: AnyObject, Sendable {
  func send(_ request: TransportRequest, for transport: CurlTransport) async throws(TransportError) -> TransportResponse
  func openSocket(
    _ request: TransportRequest, _ options: WebSocketOptions, for transport: CurlTransport
  ) async throws(TransportError) -> SocketResponse
  func figures() -> [String: CurlTransport.ConnectionFigures]
  /// Ends all transfers. Called once.
  func stop()
}
#endif
