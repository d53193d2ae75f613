#if os(Linux)
internal import CCurl

/// Sockets on which libcurl waits for room to write while it is an HTTP/2 server that takes no more.
///
/// They would keep a processor busy. After some calls for nothing such a socket is left alone until bytes come on it,
/// which may widen the server's window, or for 10 ms: another request on it may be what needs the room.
extension CurlSockets {
  private static let mostIdleWrites = 16
  private static let pause = 10_000_000

  /// libcurl has dealt with an event of the socket; `isIdle` if there was room to write, and it called nothing of ours.
  func noteEvent(on socket: curl_socket_t, of pool: Int, isIdle: Bool, at now: Int) {
    guard Int(socket) < entries.count else { return }
    guard isIdle else {
      entries[Int(socket)].idleWrites = 0
      if entries[Int(socket)].isHeld { watch(socket, of: pool, for: CURL_POLL_INOUT) }
      return
    }
    entries[Int(socket)].idleWrites += 1
    guard entries[Int(socket)].idleWrites >= Self.mostIdleWrites, entries[Int(socket)].watchedFor == CURL_POLL_INOUT,
      entries[Int(socket)].isWanted
    else { return }
    watch(socket, of: pool, for: CURL_POLL_IN)
    entries[Int(socket)].isHeld = true
    held.append((socket, pool))
    writesDue = min(writesDue, now + Self.pause)
  }

  /// Waits for room to write again, when it is time.
  func allowWrites(at now: Int) {
    guard writesDue <= now else { return }
    writesDue = .max
    for (socket, pool) in held where entries[Int(socket)].isHeld { watch(socket, of: pool, for: CURL_POLL_INOUT) }
    held.removeAll(keepingCapacity: true)
  }
}
#endif
