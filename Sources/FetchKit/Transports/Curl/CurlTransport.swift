#if os(Linux)
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
public final class CurlTransport: InterruptibleTransport {
  let loop: CurlLoop
  let settings: CurlSettings

  /// Creates a transport with the default configuration, modified by `configure`.
  ///
  /// - Throws: ``SetupError`` if the configuration is invalid, or if the installed libcurl does not support it.
  public convenience init(_ configure: (inout Configuration) -> Void = { _ in }) throws(SetupError) {
    var configuration = Configuration()
    configure(&configuration)
    try self.init(CurlSettings(configuration, library: CurlLibrary.load()))
  }

  init(_ settings: CurlSettings) throws(SetupError) {
    self.settings = settings
    try CurlEasy().validate(settings)
    loop = try CurlLoop(settings)
  }

  deinit {
    loop.stop()
  }

  /// Sends the request and returns the response. See ``Transport``.
  ///
  /// The upload progress counts bytes that have been passed to the socket layer. The header fields of a response are
  /// limited to 256 KiB, even if `limits.headers` is greater.
  public func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
    guard !Task.isCancelled else { throw .cancelled }
    try request.validate()
    let transfer = try CurlTransfer(request, settings)
    let loop = loop
    var channel: BodyChannel?
    if request.delivery == .stream {
      // The channel holds the transport, so that its connections stay open while the body is read. The transfer lets go
      // of the channel when it ends.
      channel = BodyChannel(
        highWater: settings.streamBuffer, onFlow: { [self] in self.loop.post(.resume(transfer)) },
        onCancel: { loop.post(.cancel(transfer)) })
      transfer.body.channel = channel
    }
    guard request.wait?.ends(by: { loop.post(.cancel(transfer)) }) ?? true else { throw .cancelled }
    transfer.upload?.begin { loop.post(.uploaded(transfer, $0, generation: $1)) }
    await withTaskCancellationHandler {
      await withCheckedContinuation { loop.start(transfer, $0) }
    } onCancel: {
      // This runs under the task's own lock, so it only posts a message. It must not take a lock that is held while a
      // task is resumed.
      loop.post(.cancel(transfer))
    }
    let answer = try transfer.takeAnswer()
    return TransportResponse(head: answer.head, body: channel.map { ResponseBody($0) } ?? ResponseBody(answer.body))
  }
}
#endif
