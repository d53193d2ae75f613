#if os(Linux)
internal import CCurl
internal import Glibc

/// Bytes that a server sends on a kept connection without having been asked, as a 408 before it closes an idle one: libcurl
/// before 8.0 takes them for the answer to the next request. It says only by their ports which connections it uses.
///
/// Over TLS the bytes cannot be told from those of a late session ticket, which costs the connection too.
extension CurlSockets {
  func hasUnaskedBytes(on port: Int32) -> Bool {
    sockets(on: port).contains(where: { socket in
      var byte: UInt8 = 0
      return entries[Int(socket)].speaksOnlyWhenAsked
        && recv(socket, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT)) > 0
    })
  }

  func noteAnswer(on port: Int32, isMultiplexed: Bool) {
    for socket in sockets(on: port) { entries[Int(socket)].speaksOnlyWhenAsked = !isMultiplexed }
  }

  /// Of sockets that have the same port, to different servers, all: one connection too many may be given up for that.
  private func sockets(on port: Int32) -> [curl_socket_t] {
    while let socket = unnamed.popLast() {
      guard let port = localPort(of: socket) else { continue }
      entries[Int(socket)].port = port
      byPort[port, default: []].append(socket)
    }
    return byPort[port] ?? []
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
    let code = withUnsafeMutableBytes(of: &address) { bytes in
      getsockname(socket, bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self), &size)
    }
    // In both families it is at the same place.
    return code == 0 && address.sin6_port != 0 ? Int32(UInt16(bigEndian: address.sin6_port)) : nil
  }
}
#endif
