#if canImport(CLarderCurl)
internal import CLarderCurl
internal import Glibc

/// HTTP/1 connections that are kept between requests. libcurl identifies the ones it uses only by their ports.
extension CurlSockets {
  /// Whether unsolicited bytes wait on a kept connection, such as a 408 before a server closes it. libcurl before 8.0
  /// mistakes them for the response to the next request.
  ///
  /// Over TLS a late session ticket looks the same and also costs the connection. Bytes that arrived in one record with
  /// the end of a response are in the TLS library's buffer and are not detected here.
  func hasUnsolicitedBytes(on port: Int32) -> Bool {
    guard let socket = socket(on: port), entries[Int(socket)].sendsOnlyResponses else { return false }
    var byte: UInt8 = 0
    return recv(socket, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT)) > 0
  }

  /// Records that a request is sent on the connection.
  func noteUse(of port: Int32) -> CurlTransferState.Connection {
    uses += 1
    var connection = CurlTransferState.Connection(port: port, use: uses)
    guard let socket = socket(on: port) else { return connection }
    connection.number = entries[Int(socket)].connection
    connection.isReused = entries[Int(socket)].use > 0
    entries[Int(socket)].use = uses
    entries[Int(socket)].idleSince = 0
    return connection
  }

  /// The number of the connection; 0 if unknown.
  func connection(on port: Int32) -> Int { socket(on: port).map { entries[Int($0)].connection } ?? 0 }

  func noteAnswer(on port: Int32, isMultiplexed: Bool) {
    guard let socket = socket(on: port) else { return }
    entries[Int(socket)].sendsOnlyResponses = !isMultiplexed
  }

  /// Records that the request has its response. The next request may already be on the connection.
  func noteEnd(of use: Int, on port: Int32) {
    guard let socket = socket(on: port), entries[Int(socket)].use == use else { return }
    guard entries[Int(socket)].sendsOnlyResponses else { return }
    idleCounter += 1
    entries[Int(socket)].idleSince = idleCounter
  }

  /// Shuts down the connections that have been idle longest. libcurl detects that they are dead on its next lookup, and
  /// closes them.
  func closeIdle(beyond limit: Int) {
    let idle = entries.indices.filter { entries[$0].idleSince > 0 }
    guard idle.count > limit else { return }
    for socket in idle.sorted(by: { entries[$0].idleSince < entries[$1].idleSince }).dropLast(limit) {
      entries[socket].idleSince = 0
      _ = Glibc.shutdown(curl_socket_t(socket), Int32(SHUT_RDWR))
    }
  }

  /// The socket with this local port. Nil if several connections to different servers have the same local port, which
  /// happens among hundreds. It is then unknown which one libcurl means, and all are left alone.
  private func socket(on port: Int32) -> curl_socket_t? {
    while let socket = unnamed.popLast() {
      guard let port = localPort(of: socket) else { continue }
      entries[Int(socket)].port = port
      byPort[port, default: []].append(socket)
    }
    guard var sockets = byPort[port] else { return nil }
    if sockets.count > 1 {
      // Descriptors that libcurl itself has closed now have another port, or none.
      sockets.removeAll { localPort(of: $0) != port }
      byPort[port] = sockets
    }
    return sockets.count == 1 ? sockets[0] : nil
  }

  func forgetPort(of socket: curl_socket_t) {
    unnamed.removeAll { $0 == socket }
    let port = entries[Int(socket)].port
    guard port != 0 else { return }
    byPort[port]?.removeAll { $0 == socket }
    if byPort[port]?.isEmpty == true { byPort[port] = nil }
  }

  private func localPort(of socket: curl_socket_t) -> Int32? {
    var address = sockaddr_in6()
    var size = socklen_t(MemoryLayout<sockaddr_in6>.size)
    // The system fills in the address of either family, and at most `size` bytes; sockaddr is its view of both.
    let code = withUnsafeMutableBytes(of: &address) { bytes in
      getsockname(socket, bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self), &size)
    }
    // The port is at the same offset in both families.
    return code == 0 && address.sin6_port != 0 ? Int32(UInt16(bigEndian: address.sin6_port)) : nil
  }
}
#endif
