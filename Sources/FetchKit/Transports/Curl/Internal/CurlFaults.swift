#if os(Linux)
internal import CCurl
internal import Foundation

/// What libcurl's result codes mean to us.
enum CurlFaults {
  /// The largest head libcurl 7.88 and its successors take is 300 KB; ours comes first, so that it is ours that is
  /// reported.
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
    // From 7.84 to 8.2, of white space before the first field.
    case CURLE_BAD_FUNCTION_ARGUMENT where transfer.head.count > 0 && !transfer.head.isComplete:
      return .malformedResponse(reason: "the head cannot be read")
    case CURLE_GOT_NOTHING where transfer.head.count > 0:
      return cutOffHead  // an interim response came, and nothing after it
    case CURLE_BAD_CONTENT_ENCODING:
      return .malformedResponse(reason: "the body cannot be decompressed")
    // Of what follows a compressed body, or of a block that is none. If our own callback has refused something, its
    // reason was reported before.
    case CURLE_WRITE_ERROR where transfer.shape.decompresses && !transfer.isLeftEncoded:
      return .malformedResponse(reason: "the body cannot be decompressed")
    case _ where isTooLarge(code) && transfer.isConnected && !transfer.head.isComplete:
      // The head of the request, of which libcurl takes a megabyte, or a line of the response's longer than 100 KB.
      guard transfer.easy?.long(CURLINFO_REQUEST_SIZE) != 0 else {
        return .invalidRequest(reason: "libcurl sends no head so large")
      }
      return .tooLarge(.headers, limit: min(transfer.request.limits.headers, largestHead))
    // A kept-alive connection took the request and died, and libcurl could not have another: it is not known to be
    // unsent.
    case CURLE_COULDNT_RESOLVE_HOST where transfer.attempts > 0, CURLE_COULDNT_CONNECT where transfer.attempts > 0:
      return .connection(.lost, detail: detail)
    case CURLE_COULDNT_RESOLVE_HOST:
      return .connection(.nameNotResolved, detail: detail)
    case CURLE_PROXY where transfer.easy?.long(CURLINFO_PROXY_ERROR) == Int(CURLPX_RESOLVE_HOST.rawValue):
      // By `socks5` it is looked up here, but on the proxy's behalf.
      return .connection(.nameNotResolved, detail: String(cString: curl_easy_strerror(CURLE_COULDNT_RESOLVE_HOST)))
    case CURLE_COULDNT_RESOLVE_PROXY, CURLE_PROXY:
      // The text could quote the proxy's address with its password.
      return .connection(.proxy, detail: String(cString: curl_easy_strerror(code)))
    case CURLE_COULDNT_CONNECT:
      let isProxy = transfer.mayUseProxy && !names(transfer.request.url, detail)
      return .connection(isProxy ? .proxy : .refused, detail: detail)
    case CURLE_OPERATION_TIMEDOUT:
      return .timeout(transfer.totalDue <= now ? .total : transfer.isConnected ? .idle : .connect)
    case CURLE_RECV_ERROR where transfer.isConnected && isOfChunks(detail):
      return .malformedResponse(reason: "the chunks of the body cannot be read")
    case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_ENGINE_NOTFOUND,
      CURLE_SSL_ENGINE_SETFAILED, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER, CURLE_SSL_CACERT_BADFILE,
      CURLE_SSL_SHUTDOWN_FAILED, CURLE_SSL_CRL_BADFILE, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_PINNEDPUBKEYNOTMATCH,
      CURLE_SSL_INVALIDCERTSTATUS, CURLE_SSL_CLIENTCERT, CURLE_NOT_BUILT_IN:
      return .connection(.tls, detail: detail)
    default:
      return .connection(proxyRefused(transfer) ? .proxy : .lost, detail: detail)
    }
  }

  /// From 8.6 on CURLE_TOO_LARGE, which was CURLE_OUT_OF_MEMORY before.
  private static func isTooLarge(_ code: CURLcode) -> Bool {
    code == CURLE_OUT_OF_MEMORY || code.rawValue == 100
  }

  /// `Illegal or missing hexadecimal sequence in chunked-encoding`, from 8.7 on `chunk hex-length char not a hex digit:
  /// …`.
  static func isOfChunks(_ detail: String) -> Bool {
    detail.contains("chunk")
  }

  /// Whether it was the server itself that libcurl tried to connect to, past any proxy.
  ///
  /// Only its text tells. Until 8.7 no info does: address, port, scheme and count are those of connections that stand,
  /// the proxy's error and status those of its answers, and the system's error is the same for both. Whether a proxy
  /// applies is for libcurl to say, by the environment and rules of its own.
  static func names(_ url: URL, _ detail: String) -> Bool {
    guard let host = CurlSettings.hostKey(url) else { return false }
    let port = url.port ?? (url.scheme?.lowercased() == "https" ? 443 : 80)
    // The second from 8.21 on.
    return detail.contains("to \(host) port \(port) after") || detail.contains("to \(host):\(port) after")
  }

  /// Whether a proxy answered a CONNECT with anything but success.
  private static func proxyRefused(_ transfer: CurlTransfer) -> Bool {
    let status = transfer.easy?.long(CURLINFO_HTTP_CONNECTCODE) ?? 0
    return !transfer.isConnected && status != 0 && !(200..<300).contains(status)
  }
}
#endif
