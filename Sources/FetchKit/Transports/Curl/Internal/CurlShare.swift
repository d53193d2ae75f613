#if canImport(CLarderCurl)
internal import CLarderCurl

/// The TLS sessions shared by the handles of a core, so that a new connection to a server resumes an earlier session
/// instead of exchanging certificates. libcurl keeps a few sessions, each for one host with one set of TLS options.
///
/// Otherwise each handle would have its own sessions and lose them when it is freed. Transports must not share
/// sessions: up to 8.20.0 libcurl does not check the client's key when it resumes a session (CVE-2026-8932). No lock is
/// set, because the handles that share are used and freed only by their core, which one thread uses at a time.
final class CurlShare {
  let handle: UnsafeMutableRawPointer

  init() throws(CurlTransport.SetupError) {
    guard let handle = curl_share_init() else { throw .noResources(reason: "libcurl could not create a share") }
    self.handle = handle
    let code = ccurl_share_set_long(handle, CURLSHOPT_SHARE, Int(CURL_LOCK_DATA_SSL_SESSION.rawValue))
    // A libcurl without TLS has nothing to share.
    guard code == CURLSHE_OK || code == CURLSHE_NOT_BUILT_IN else {
      curl_share_cleanup(handle)
      throw .noResources(reason: "libcurl could not share TLS sessions between handles")
    }
  }

  // The handles hold a reference, so none of them is using it anymore.
  deinit { curl_share_cleanup(handle) }
}
#endif
