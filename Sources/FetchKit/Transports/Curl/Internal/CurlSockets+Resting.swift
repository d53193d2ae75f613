#if os(Linux)
internal import CCurl
internal import Glibc

/// Connections of HTTP/1 that are kept between requests. libcurl says only by their ports which ones it uses.
extension CurlSockets {
  /// Whether unsolicited bytes wait on a kept connection, as a 408 before a server closes it: libcurl before 8.0 takes
  /// them for the answer to the next request.
  ///
  /// Over TLS a late session ticket looks the same, and costs the connection too; what came in one record with the end
  /// of an answer is in the TLS library's buffer, and not seen here.
  func hasUnaskedBytes(on port: Int32) -> Bool {
    guard let socket = socket(on: port), entries[Int(socket)].speaksOnlyWhenAsked else { return false }
    var byte: UInt8 = 0
    return recv(socket, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT)) > 0
  }

  /// A request goes out on it; the number is for ``noteEnd(of:on:)``.
  func noteUse(of port: Int32) -> Int {
    uses += 1
    if let socket = socket(on: port) {
      entries[Int(socket)].use = uses
      entries[Int(socket)].restsSince = 0
    }
    return uses
  }

  /// The number of the connection; 0 if it is not known.
  func connection(on port: Int32) -> Int { socket(on: port).map { entries[Int($0)].connection } ?? 0 }

  func noteAnswer(on port: Int32, isMultiplexed: Bool) {
    guard let socket = socket(on: port) else { return }
    entries[Int(socket)].speaksOnlyWhenAsked = !isMultiplexed
  }

  /// The request has its answer. The next one may be on the connection already.
  func noteEnd(of use: Int, on port: Int32) {
    guard let socket = socket(on: port), entries[Int(socket)].use == use else { return }
    guard entries[Int(socket)].speaksOnlyWhenAsked else { return }
    rests += 1
    entries[Int(socket)].restsSince = rests
  }

  /// Ends those that have rested longest. libcurl finds them dead when it looks for one next, and closes them.
  func closeResting(beyond limit: Int) {
    let resting = entries.indices.filter { entries[$0].restsSince > 0 }
    guard resting.count > limit else { return }
    for socket in resting.sorted(by: { entries[$0].restsSince < entries[$1].restsSince }).dropLast(limit) {
      entries[socket].restsSince = 0
      shutdown(curl_socket_t(socket), Int32(SHUT_RDWR))
    }
  }

  /// Nil if several connections, to different servers, have the same local port, as happens among hundreds: which of
  /// them libcurl means is not known, and they are left alone.
  private func socket(on port: Int32) -> curl_socket_t? {
    while let socket = unnamed.popLast() {
      guard let port = localPort(of: socket) else { continue }
      entries[Int(socket)].port = port
      byPort[port, default: []].append(socket)
    }
    guard var sockets = byPort[port] else { return nil }
    if sockets.count > 1 {
      // Numbers that libcurl has closed by itself have another port by now, or none.
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
    // The system fills in whichever family the socket has, and no more bytes than `size`; sockaddr is its view of both.
    let code = withUnsafeMutableBytes(of: &address) { bytes in
      getsockname(socket, bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self), &size)
    }
    // In both families it is at the same place.
    return code == 0 && address.sin6_port != 0 ? Int32(UInt16(bigEndian: address.sin6_port)) : nil
  }
}
#endif
