#if os(Linux)
internal import CCurl
internal import Foundation

/// What libcurl's result codes mean to us.
enum CurlFaults {
  /// The largest head libcurl 7.88 and its successors take is 300 KB; ours comes first, so that it is ours that is reported.
  static let largestHead = 256 << 10

  static let cutOffHead = TransportError.malformedResponse(reason: "the head was cut off")

  static func error(for code: CURLcode, of transfer: CurlTransfer, now: Int) -> TransportError {
    let detail = transfer.easy?.text(for: code) ?? ""
    switch code {
    case CURLE_URL_MALFORMAT, CURLE_LOGIN_DENIED:
      return .invalidRequest(reason: "libcurl cannot use the URL")
    case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY:
      // The scheme was checked before: what is not supported is what came, say HTTP/0.9.
      return .malformedResponse(reason: "what came is not HTTP")
    case CURLE_GOT_NOTHING where transfer.head.count > 0:
      return cutOffHead  // an interim response came, and nothing after it
    case CURLE_BAD_CONTENT_ENCODING:
      return .malformedResponse(reason: "the body cannot be decompressed")
    case CURLE_OUT_OF_MEMORY where transfer.isConnected && !transfer.head.isComplete:
      // How libcurl reports a line longer than 100 KB.
      return .tooLarge(.headers, limit: min(transfer.request.limits.headers, largestHead))
    // A kept-alive connection took the request and died, and libcurl could not have another: it is not known to be unsent.
    case CURLE_COULDNT_RESOLVE_HOST where transfer.attempts > 0, CURLE_COULDNT_CONNECT where transfer.attempts > 0:
      return .connection(.lost, detail: detail)
    case CURLE_COULDNT_RESOLVE_HOST:
      return .connection(.nameNotResolved, detail: detail)
    case CURLE_COULDNT_RESOLVE_PROXY, CURLE_PROXY:
      // The text could quote the proxy's address with its password.
      return .connection(.proxy, detail: String(cString: curl_easy_strerror(code)))
    case CURLE_COULDNT_CONNECT:
      return .connection(transfer.mayUseProxy && !namesServer(of: transfer, detail) ? .proxy : .refused, detail: detail)
    case CURLE_OPERATION_TIMEDOUT:
      return .timeout(transfer.totalDue <= now ? .total : transfer.isConnected ? .idle : .connect)
    case CURLE_RECV_ERROR where transfer.isConnected && detail.hasSuffix("chunked-encoding"):
      return .malformedResponse(reason: "the chunks of the body cannot be read")
    case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_ENGINE_NOTFOUND,
      CURLE_SSL_ENGINE_SETFAILED, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER, CURLE_SSL_CACERT_BADFILE,
      CURLE_SSL_SHUTDOWN_FAILED, CURLE_SSL_CRL_BADFILE, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_PINNEDPUBKEYNOTMATCH,
      CURLE_SSL_INVALIDCERTSTATUS, CURLE_SSL_CLIENTCERT:
      return .connection(.tls, detail: detail)
    default:
      return .connection(proxyRefused(transfer) ? .proxy : .lost, detail: detail)
    }
  }

  /// Whether it was the server itself that libcurl tried to connect to, past any proxy.
  ///
  /// Only its text tells. Until 8.7 no info does: address, port, scheme and count are those of connections that stand, the
  /// proxy's error and status those of its answers, and the system's error is the same for both. Whether a proxy applies
  /// is for libcurl to say, by the environment and rules of its own.
  private static func namesServer(of transfer: CurlTransfer, _ detail: String) -> Bool {
    let url = transfer.request.url
    guard let host = CurlSettings.hostKey(url) else { return false }
    return detail.contains("to \(host) port \(url.port ?? (transfer.isTLS ? 443 : 80)) after")
  }

  /// Whether a proxy answered a CONNECT with anything but success.
  private static func proxyRefused(_ transfer: CurlTransfer) -> Bool {
    let status = transfer.easy?.long(CURLINFO_HTTP_CONNECTCODE) ?? 0
    return !transfer.isConnected && status != 0 && !(200..<300).contains(status)
  }
}
#endif
