#if canImport(CLarderCurl)
internal import CLarderCurl
internal import Foundation

/// A connection without requests, whose bytes both sides send when they want: that of a WebSocket.
///
/// `@unchecked Sendable`: the constants are only read. Every variable is used only by the ``CurlCore``, on one thread
/// at a time under the loop's lock.
final class CurlSocket: @unchecked Sendable {
  struct Outgoing {
    /// What the core has not taken yet.
    var bytes: [UInt8] = []
    /// With those that the core has taken and not sent.
    var count = 0
    /// How many the system has taken.
    var sent = 0
    /// Whether the core has been notified, and has not found `bytes` empty since.
    var isScheduled = false
    /// Whether the connection is to end after the bytes.
    var isFinishing = false
    var hasEnded = false
  }

  let request: CurlRequest
  let isInsecure: Bool
  let mayUseProxy: Bool
  let connectMilliseconds: Int
  let outgoing = AsyncCondition(Outgoing())
  /// Set once the connection is open, or has failed.
  let opened = Promise<TransportError?>()

  /// Where received bytes go. The socket lets go of it when it ends.
  var incoming: BodyChannel?
  var sockets: CurlSockets?
  var easy: CurlEasy?
  var pool: CurlPool?
  /// Negative until the connection is open.
  var descriptor: curl_socket_t = -1
  var remoteAddress: String?
  /// What is being sent. Its memory must stay where it is: OpenSSL continues a write only with the same bytes.
  var sending: ArraySlice<UInt8> = []
  /// Whether the system accepts no more bytes.
  var isBlocked = false
  /// Whether the reader has to take what waits first.
  var isPaused = false
  var hasEnded = false
  /// Why nothing more can be sent. What has arrived is still received.
  var sendFailure: TransportError?

  init(_ request: TransportRequest, _ settings: CurlSettings) throws(TransportError) {
    self.request = try CurlRequest(request, settings.headerBlocks)
    guard !self.request.isTLS || settings.library.hasTLS else {
      throw .connection(.tls, detail: CurlTransport.SetupError.missing(.tls).description)
    }
    isInsecure = self.request.isTLS && settings.tls(for: self.request.host).isInsecure
    if case .none = settings.proxy { mayUseProxy = false } else { mayUseProxy = true }
    let connect = request.timeouts.connect?.clampedNanoseconds ?? .max
    connectMilliseconds = min(connect / 1_000_000 + 1, Int(Int32.max))
  }

  /// Takes what has been written since the last time. Returns true if the connection is to end after that.
  func takeOutgoing() -> Bool {
    outgoing.change { outgoing in
      sending = outgoing.bytes[...]
      outgoing.bytes = []
      if sending.isEmpty { outgoing.isScheduled = false }
      return outgoing.isFinishing
    }
  }
}
#endif
