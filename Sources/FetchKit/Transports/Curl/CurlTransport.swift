#if os(Linux)
/// The transport on libcurl's multi interface: the default on Linux.
///
/// ```swift
/// let transport = try CurlTransport {
///   $0.pinnedPublicKeys["api.example.org"] = ["47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="]
/// }
/// let client = FetchClient { $0.transport = transport }
/// ```
///
/// One thread serves any number of requests. Connections are kept and reused; HTTP/2 is spoken where a server offers it
/// over TLS. libcurl's own redirects, cookies, authentication and `.netrc` are off, and only `http` and `https` are
/// spoken. A streamed body holds its sender back once ``Configuration/streamBuffer`` bytes wait for the consumer; a
/// response that comes whole is decompressed (gzip, deflate, and brotli and zstd where libcurl has them) unless the
/// request names an `Accept-Encoding` of its own.
///
/// Keep one transport for as long as requests are made: its connections go with it, when the last reference to it and
/// to the bodies it streams is gone.
///
/// - Requires: libcurl 7.80. From 7.87 on a request that is cancelled during a name look-up ends without waiting for
///   the look-up; before, everything else on the transport waits for it too.
public final class CurlTransport: Transport {
  let loop: CurlLoop
  let settings: CurlSettings

  /// A transport with the standard configuration, changed by `configure`.
  ///
  /// - Throws: ``SetupError`` when the configuration makes no sense, or when the libcurl that is installed cannot do
  ///   what it asks.
  public convenience init(_ configure: (inout Configuration) -> Void = { _ in }) throws(SetupError) {
    var configuration = Configuration()
    configure(&configuration)
    try self.init(CurlSettings(configuration, library: CurlLibrary.load()))
  }

  init(_ settings: CurlSettings) throws(SetupError) {
    self.settings = settings
    try CurlEasy().rehearse(settings)
    loop = try CurlLoop(settings)
  }

  deinit {
    loop.stop()
  }

  /// Sends the request and returns the answer, as ``Transport`` says.
  ///
  /// Progress of an upload counts bytes as they are handed to the socket layer. Of `limits.headers` at most 256 KiB are
  /// granted.
  public func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
    guard !Task.isCancelled else { throw .cancelled }
    let transfer = try CurlTransfer(request, settings: settings)
    let loop = loop
    transfer.upload?.begin(for: transfer, on: loop)
    await withTaskCancellationHandler {
      await withCheckedContinuation { loop.start(transfer, $0) }
    } onCancel: {
      // Runs under the task's own lock: leaves a message and takes no lock that is held while something is resumed.
      loop.post(.cancel(transfer))
    }
    let answer = try transfer.takeAnswer()
    guard let stream = transfer.stream else {
      return TransportResponse(head: answer.head, body: ResponseBody(answer.body))
    }
    return TransportResponse(
      head: answer.head, body: ResponseBody(CurlBodySource(stream: stream, transfer: transfer, transport: self)))
  }
}
#endif
