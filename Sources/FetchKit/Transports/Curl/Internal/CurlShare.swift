#if os(Linux)
internal import CCurl

/// The TLS sessions that the handles of a core have in common, so that a new connection to a server goes on with an
/// earlier session instead of exchanging certificates. libcurl keeps a few, each for one host with one set of
/// TLS options.
///
/// Each handle would have its own otherwise, and lose them with itself. Transports must not share: up to 8.20.0 libcurl
/// does not look at the client's key when it resumes a session (CVE-2026-8932). No lock is set: handles that share are
/// used, and freed, in one core only, which one thread has at a time.
final class CurlShare {
  let handle: UnsafeMutableRawPointer

  init() throws(CurlTransport.SetupError) {
    guard let handle = curl_share_init() else { throw .noResources(reason: "libcurl could not make a share") }
    self.handle = handle
    let code = ccurl_share_set_long(handle, CURLSHOPT_SHARE, Int(CURL_LOCK_DATA_SSL_SESSION.rawValue))
    // Without TLS in libcurl there is nothing to share.
    guard code == CURLSHE_OK || code == CURLSHE_NOT_BUILT_IN else {
      curl_share_cleanup(handle)
      throw .noResources(reason: "libcurl could not share TLS sessions between handles")
    }
  }

  // The handles hold it, so that none uses it any more.
  deinit { curl_share_cleanup(handle) }
}
#endif
