#if canImport(CLarderCurl)
internal import CLarderCurl
internal import Foundation

/// Maps libcurl's result codes to errors.
enum CurlFaults {
  /// libcurl 7.88 and later accept a head of at most 300 KB. This limit is lower, so that it is the one that is
  /// reported.
  static let largestHead = 256 << 10

  /// Over HTTP/2 it is 128 KiB, and nghttp2 accepts no more CONTINUATION frames than fill 144 KiB.
  private static let largestHTTP2Head = 128 << 10

  static let cutOffHead = TransportError.malformedResponse(reason: "the response head was cut off")

  static func error(for code: CURLcode, of transfer: CurlTransfer, now: Int) -> TransportError {
    let detail = transfer.easy?.text(for: code) ?? ""
    switch code {
    case CURLE_URL_MALFORMAT, CURLE_LOGIN_DENIED:
      return .invalidRequest(reason: "libcurl cannot use the URL")
    case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY:
      // The scheme was checked before, so the response is what is not supported, for example HTTP/0.9.
      return .malformedResponse(reason: "the response is not HTTP")
    // From 7.84 to 8.2, for white space before the first field.
    case CURLE_BAD_FUNCTION_ARGUMENT where transfer.head.count > 0 && !transfer.head.isComplete:
      return .malformedResponse(reason: "the response head cannot be parsed")
    case CURLE_GOT_NOTHING where transfer.head.count > 0:
      return cutOffHead  // only an interim response arrived
    case CURLE_BAD_CONTENT_ENCODING: return CurlBody.malformed
    // Reported for bytes after a compressed body. If our own callback rejected something, its error was handled before.
    case CURLE_WRITE_ERROR where transfer.body.codingRemoved != nil: return CurlBody.malformed
    case _ where isTooLarge(code) && transfer.state.attempts > 0 && !transfer.head.isComplete:
      // Either the request head, which libcurl limits to a megabyte, or a line of the response longer than 100 KB.
      guard transfer.easy?.long(CURLINFO_REQUEST_SIZE) != 0 else {
        return .invalidRequest(reason: "the request head is too large for libcurl")
      }
      return .tooLarge(.headers, limit: min(transfer.request.limits.headers, largestHead))
    case CURLE_RECV_ERROR where transfer.state.attempts > 0 && !transfer.head.isComplete && isHeadTooLarge(detail),
      CURLE_HTTP2 where transfer.state.attempts > 0 && !transfer.head.isComplete && isHeadTooLarge(detail):
      return .tooLarge(.headers, limit: min(transfer.request.limits.headers, largestHTTP2Head))
    // After several attempts of libcurl's own.
    case CURLE_HTTP2_STREAM where transfer.head.count == 0 && detail.contains("REFUSED_STREAM"):
      return .connection(.unprocessed, detail: detail)
    // A kept-alive connection accepted the request and closed, and libcurl could not open another one. The request may
    // have been sent.
    case CURLE_COULDNT_RESOLVE_HOST where transfer.state.attempts > 0,
      CURLE_COULDNT_CONNECT where transfer.state.attempts > 0:
      return .connection(.lost, detail: detail)
    case CURLE_COULDNT_RESOLVE_HOST:
      return .connection(.nameNotResolved, detail: detail)
    case CURLE_PROXY where transfer.easy?.long(CURLINFO_PROXY_ERROR) == Int(CURLPX_RESOLVE_HOST.rawValue):
      // With `socks5` the name is resolved locally, but on behalf of the proxy.
      return .connection(.nameNotResolved, detail: String(cString: curl_easy_strerror(CURLE_COULDNT_RESOLVE_HOST)))
    case CURLE_COULDNT_RESOLVE_PROXY, CURLE_PROXY:
      // The text can contain the proxy's address and its password.
      return .connection(.proxy, detail: String(cString: curl_easy_strerror(code)))
    case CURLE_COULDNT_CONNECT:
      let isProxy = transfer.mayUseProxy && !names(transfer.request.url, detail)
      return .connection(isProxy ? .proxy : .refused, detail: detail)
    case CURLE_OPERATION_TIMEDOUT:
      return .timeout(transfer.totalDue <= now ? .total : transfer.state.attempts > 0 ? .idle : .connect)
    case CURLE_RECV_ERROR where transfer.state.attempts > 0 && isChunkError(detail):
      return .malformedResponse(reason: "the chunked body cannot be parsed")
    case _ where isTLS(code): return .connection(.tls, detail: detail)
    default:
      return .connection(proxyRefused(transfer) ? .proxy : .lost, detail: detail)
    }
  }

  /// The error of a connection without requests that could not be opened.
  static func error(
    for code: CURLcode, opening request: CurlRequest, _ detail: String, mayUseProxy: Bool, hasRunOut: Bool
  ) -> TransportError {
    switch code {
    case CURLE_URL_MALFORMAT: return .invalidRequest(reason: "libcurl cannot use the URL")
    case CURLE_COULDNT_RESOLVE_HOST: return .connection(.nameNotResolved, detail: detail)
    case CURLE_COULDNT_CONNECT where hasRunOut:
      return .connection(.noResources, detail: "no socket could be opened")
    case CURLE_COULDNT_CONNECT:
      let isProxy = mayUseProxy && !names(request.origin, request.host, detail)
      return .connection(isProxy ? .proxy : .refused, detail: detail)
    case CURLE_OPERATION_TIMEDOUT: return .timeout(.connect)
    case _ where isTLS(code): return .connection(.tls, detail: detail)
    // The text can contain the proxy's address and its password.
    default:
      let isProxy = mayUseProxy
      return .connection(isProxy ? .proxy : .lost, detail: String(cString: curl_easy_strerror(code)))
    }
  }

  private static func isTLS(_ code: CURLcode) -> Bool {
    switch code {
    case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_ENGINE_NOTFOUND,
      CURLE_SSL_ENGINE_SETFAILED, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER, CURLE_SSL_CACERT_BADFILE,
      CURLE_SSL_SHUTDOWN_FAILED, CURLE_SSL_CRL_BADFILE, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_PINNEDPUBKEYNOTMATCH,
      CURLE_SSL_INVALIDCERTSTATUS, CURLE_SSL_CLIENTCERT, CURLE_NOT_BUILT_IN:
      true
    default: false
    }
  }

  /// The errors of nghttp2 for a failed callback, which is libcurl's answer to a head that is too large, for too many
  /// CONTINUATION frames, and for a single field too large for its table.
  private static func isHeadTooLarge(_ detail: String) -> Bool {
    detail.contains("-902:") || detail.contains("-905:") || detail.contains("COMPRESSION_ERROR")
  }

  /// CURLE_TOO_LARGE since 8.6, and CURLE_OUT_OF_MEMORY before.
  private static func isTooLarge(_ code: CURLcode) -> Bool {
    code == CURLE_OUT_OF_MEMORY || code.rawValue == 100
  }

  /// `Illegal or missing hexadecimal sequence in chunked-encoding`, or since 8.7 `chunk hex-length char not a hex
  /// digit: …`.
  static func isChunkError(_ detail: String) -> Bool {
    detail.contains("chunk")
  }

  /// Whether libcurl tried to connect to the server itself, not to a proxy.
  ///
  /// Only the error text shows it. Until 8.7 no other information does: address, port, scheme and count describe open
  /// connections, the proxy's error and status describe its responses, and the system's error is the same for both.
  /// libcurl decides whether a proxy applies, based on the environment and its own rules.
  static func names(_ url: URL, _ detail: String) -> Bool {
    guard let host = HostKey.of(url) else { return false }
    return names("\(host):\(url.port ?? (url.scheme?.lowercased() == "https" ? 443 : 80))", host, detail)
  }

  private static func names(_ origin: String, _ host: String, _ detail: String) -> Bool {
    // The second form is used since 8.21.
    detail.contains("to \(host) port \(origin.dropFirst(host.count + 1)) after")
      || detail.contains("to \(origin) after")
  }

  /// Whether a proxy rejected a CONNECT.
  private static func proxyRefused(_ transfer: CurlTransfer) -> Bool {
    let status = transfer.easy?.long(CURLINFO_HTTP_CONNECTCODE) ?? 0
    return transfer.state.attempts == 0 && status != 0 && !(200..<300).contains(status)
  }
}
#endif
