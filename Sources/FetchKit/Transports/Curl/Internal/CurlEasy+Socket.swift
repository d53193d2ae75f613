#if canImport(CLarderCurl)
internal import CLarderCurl

extension CurlEasy {
  /// Sets all options for a connection without requests. The socket must outlive its time in the multi handle.
  func prepare(for socket: CurlSocket, _ settings: CurlSettings, _ sockets: CurlSockets) throws(TransportError) {
    let host = settings.hostsDiffer ? socket.request.host : nil
    try prepareConnection(isTLS: socket.request.isTLS, host: host, settings)
    set(CURLOPT_CONNECT_ONLY, 1)
    set(CURLOPT_HTTPPROXYTUNNEL, 1)  // otherwise libcurl would expect requests for the proxy
    set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))  // otherwise TLS could agree on HTTP/2
    // libcurl considers an open socket an idle connection, and closes old ones when it opens another.
    set(CURLOPT_MAXAGE_CONN, 1 << 30)
    set(CURLOPT_BUFFERSIZE, CurlCore.socketBufferSize)  // the most that one call receives
    set(CURLOPT_CONNECTTIMEOUT_MS, socket.connectMilliseconds)
    collectErrorText()
    guard set(CURLOPT_URL, socket.request.url) == CURLE_OK else {
      throw .invalidRequest(reason: "libcurl cannot use the URL")
    }
    let context = Unmanaged.passUnretained(socket).toOpaque()
    ccurl_set_pointer(handle, CURLOPT_PRIVATE, context)
    ccurl_set_pointer(handle, CURLOPT_OPENSOCKETDATA, context)
    sockets.serve(handle)
    ccurl_set_open_socket_callback(handle) { context, _, address in
      guard let address = address?.pointee, let context else { return -1 }
      return Unmanaged<CurlSocket>.fromOpaque(context)._withUnsafeGuaranteedRef {
        $0.sockets?.open(address, to: $0.request.origin) ?? -1
      }
    }
  }

  enum Outcome {
    case moved(Int)
    case wouldBlock
    case failed(TransportError)
  }

  func receive(into buffer: UnsafeMutableRawBufferPointer) -> Outcome {
    var count = 0
    return outcome(curl_easy_recv(handle, buffer.baseAddress, buffer.count, &count), count)
  }

  func send(_ bytes: UnsafeRawBufferPointer) -> Outcome {
    var count = 0
    return outcome(curl_easy_send(handle, bytes.baseAddress, bytes.count, &count), count)
  }

  private func outcome(_ code: CURLcode, _ count: Int) -> Outcome {
    switch code {
    case CURLE_OK: .moved(count)
    case CURLE_AGAIN: .wouldBlock
    default: .failed(.connection(.lost, detail: text(for: code)))
    }
  }
}
#endif
