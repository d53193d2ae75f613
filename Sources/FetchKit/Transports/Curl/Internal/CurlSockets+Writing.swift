#if canImport(CLarderCurl)
internal import CLarderCurl

/// Sockets on which libcurl polls for writability although the HTTP/2 server accepts no more data.
///
/// Polling them would keep a processor busy. After several calls without effect, such a socket is no longer watched for
/// writability until bytes arrive, which may widen the server's window, or for 10 ms, because another request on the
/// connection may need to write.
extension CurlSockets {
  private static let mostIdleWrites = 16
  private static let pause = 10_000_000

  /// Records that libcurl has handled an event of the socket. `isIdle` is true if the socket was only writable and
  /// libcurl made no callback.
  func noteEvent(on socket: curl_socket_t, of pool: Int, isIdle: Bool, at now: Int) {
    guard Int(socket) < entries.count else { return }
    guard isIdle else {
      entries[Int(socket)].idleWrites = 0
      if entries[Int(socket)].isHeld { watch(socket, of: pool, for: CURL_POLL_INOUT) }
      return
    }
    entries[Int(socket)].idleWrites += 1
    guard entries[Int(socket)].idleWrites >= Self.mostIdleWrites, entries[Int(socket)].watchedFor == CURL_POLL_INOUT
    else { return }
    watch(socket, of: pool, for: CURL_POLL_IN)
    entries[Int(socket)].isHeld = true
    held.append((socket, pool))
    writesDue = min(writesDue, now + Self.pause)
  }

  /// Watches the held sockets for writability again when their pause has ended.
  func allowWrites(at now: Int) {
    guard writesDue <= now else { return }
    writesDue = .max
    for (socket, pool) in held where entries[Int(socket)].isHeld { watch(socket, of: pool, for: CURL_POLL_INOUT) }
    held.removeAll(keepingCapacity: true)
  }
}
#endif
