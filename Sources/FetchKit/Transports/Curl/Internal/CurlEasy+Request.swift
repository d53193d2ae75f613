#if canImport(CLarderCurl)
internal import CLarderCurl

extension CurlEasy {
  /// Sets all options that the transfer needs. The transfer must outlive its time in the multi handle, because libcurl
  /// holds an unretained reference.
  ///
  /// Redirects, cookies, `.netrc`, HSTS, Alt-Svc and HTTP/0.9 are not set, because a new handle has them off.
  func prepare(
    for transfer: CurlTransfer, _ settings: CurlSettings, _ sockets: CurlSockets
  ) throws(TransportError) {
    let wanted = transfer.shape
    // A request body sets options that a request without one must not inherit.
    if shape != wanted || transfer.upload != nil { try prepareAgain(for: transfer, settings, sockets) }
    // First, because any of the following calls may make libcurl report something.
    let context = Unmanaged.passUnretained(transfer).toOpaque()
    ccurl_set_pointer(handle, CURLOPT_DEBUGDATA, context)
    ccurl_set_pointer(handle, CURLOPT_OPENSOCKETDATA, context)
    collectErrorText()
    guard set(CURLOPT_URL, transfer.url) == CURLE_OK else {
      throw .invalidRequest(reason: "libcurl cannot use the URL")
    }
    ccurl_set_list(handle, CURLOPT_HTTPHEADER, transfer.headers.first)
    // Our own deadline ends the transfer. libcurl still has to know the timeout, because it divides it among the
    // addresses of a name.
    let connect = transfer.request.timeouts.connect?.clampedNanoseconds ?? .max
    set(CURLOPT_CONNECTTIMEOUT_MS, min(connect / 1_000_000 + 1, Int(Int32.max)))
    ccurl_set_pointer(handle, CURLOPT_PRIVATE, context)
    ccurl_set_pointer(handle, CURLOPT_PREREQDATA, context)
    ccurl_set_pointer(handle, CURLOPT_HEADERDATA, context)
    ccurl_set_pointer(handle, CURLOPT_WRITEDATA, context)
    shape = transfer.upload == nil ? wanted : nil
  }

  /// Clears the references to a transfer that has ended and may be freed before the handle.
  func forgetTransfer() {
    ccurl_set_pointer(handle, CURLOPT_DEBUGDATA, nil)
    ccurl_set_pointer(handle, CURLOPT_OPENSOCKETDATA, nil)
  }

  private func prepareAgain(
    for transfer: CurlTransfer, _ settings: CurlSettings, _ sockets: CurlSockets
  ) throws(TransportError) {
    assert(!transfer.isTLS || !settings.hostsDiffer || transfer.shape.host != nil)
    try prepareConnection(isTLS: transfer.isTLS, host: transfer.shape.host, settings)
    set(CURLOPT_MAXAGE_CONN, settings.idleConnectionSeconds)
    set(CURLOPT_MAXLIFETIME_CONN, settings.mostConnectionSeconds)
    // Over TLS, requests wait for a connection that is being opened, because it may serve them all over HTTP/2.
    let allowsHTTP2 = transfer.shape.allowsHTTP2
    // An HTTP/2 head that fills the buffer, with the end of the response behind it, would stall libcurl before 8.1. It
    // accepts heads of at most 128 KiB.
    set(CURLOPT_BUFFERSIZE, allowsHTTP2 ? 192 << 10 : 64 << 10)
    set(CURLOPT_HTTP_VERSION, Int(allowsHTTP2 ? CURL_HTTP_VERSION_2TLS : CURL_HTTP_VERSION_1_1))
    set(CURLOPT_PIPEWAIT, allowsHTTP2 ? 1 : 0)
    // Makes libcurl decode. What is offered to the server, the header fields say.
    if transfer.shape.decodes, !settings.library.decoders.isEmpty { set(CURLOPT_ACCEPT_ENCODING, "br") }
    setMethod(of: transfer)
    sockets.serve(handle)
    transfer.setCallbacks(on: self, settings)  // after the sockets', one of which it replaces
  }

  /// Sets everything about connections, in a handle without options.
  ///
  /// - Parameter host: Nil if the configuration does not differ between hosts.
  func prepareConnection(isTLS: Bool, host: String?, _ settings: CurlSettings) throws(TransportError) {
    reset()
    set(CURLOPT_NOSIGNAL, 1)
    set(CURLOPT_PATH_AS_IS, 1)
    set(CURLOPT_DISALLOW_USERNAME_IN_URL, 1)
    set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
    // Without QUICK_EXIT (7.87), ending a transfer during a name lookup joins the lookup thread.
    set(CURLoption(rawValue: UInt32(CURLOPTTYPE_LONG) + 322), 1)
    do {
      try restrictProtocols()
      if isTLS { try apply(settings.tls(for: host ?? ""), settings) }
      try applyProxy(settings)
    } catch {
      throw .connection(.tls, detail: error.description)
    }
  }

  private func setMethod(of transfer: CurlTransfer) {
    let method = transfer.request.method
    guard let upload = transfer.upload else {
      if method == .head {
        set(CURLOPT_NOBODY, 1)
      } else if method != .get {
        set(CURLOPT_CUSTOMREQUEST, method.rawValue)
      }
      return
    }
    set(CURLOPT_UPLOAD, 1)
    set(CURLOPT_CUSTOMREQUEST, method.rawValue)
    ccurl_set_offset(handle, CURLOPT_INFILESIZE_LARGE, curl_off_t(upload.length ?? -1))
  }
}
#endif
