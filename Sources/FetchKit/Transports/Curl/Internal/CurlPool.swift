#if canImport(CLarderCurl)
internal import CLarderCurl

/// A libcurl multi handle: transfers that share connections, driven by the sockets and the timer that libcurl reports.
///
/// To find a reusable connection, libcurl checks every open connection to the host, including those in use. With
/// thousands of open requests, that costs more than everything else. Therefore a pool holds a limited number of
/// transfers, and the ``CurlCore`` creates as many pools as it needs.
final class CurlPool {
  /// Identifies the pool in the poller's events.
  let number: Int
  private(set) var count = 0
  /// The number of sockets that are being opened.
  var opening = 0
  /// When libcurl has to be called even if there is no event.
  private(set) var timerDue = Int.max
  /// When to check next how many transfers ran at the same time.
  private(set) var windowEnds = Int.max
  /// The most simultaneous transfers, including the previous window, and in the current window.
  private var most = 0
  private var mostInWindow = 0
  private static let window = 1_000_000_000
  private let capacity: Int
  private let maxIdleConnections: Int
  private let sockets: CurlSockets
  private let multi: UnsafeMutableRawPointer

  /// - Parameter connectionsPerHost: The most connections to a host; 0 for no limit.
  init(
    _ number: Int, _ settings: CurlSettings, _ sockets: CurlSockets, connectionsPerHost: Int
  ) throws(CurlTransport.SetupError) {
    guard let multi = curl_multi_init() else { throw .noResources(reason: "libcurl could not create a multi handle") }
    self.number = number
    self.multi = multi
    self.sockets = sockets
    maxIdleConnections = settings.maxIdleConnections
    // libcurl enforces a connection limit only within one multi handle.
    capacity = connectionsPerHost > 0 ? .max : settings.transfersPerPool
    ccurl_multi_set_long(multi, CURLMOPT_MAX_HOST_CONNECTIONS, connectionsPerHost)
    // Only the server's limit should apply, which libcurl assumes to be 100 until it is known. With libcurl's own limit
    // of 100, each further request would open a connection.
    ccurl_multi_set_long(multi, CURLMOPT_MAX_CONCURRENT_STREAMS, 1000)
    // Without QUICK_EXIT (8.20), closing the pool waits for running name lookups.
    ccurl_multi_set_long(multi, CURLMoption(rawValue: UInt32(CURLOPTTYPE_LONG) + 21), 1)
    // Unretained is correct: the core holds the pool until it has closed it.
    let me = Unmanaged.passUnretained(self).toOpaque()
    ccurl_multi_set_pointer(multi, CURLMOPT_SOCKETDATA, me)
    ccurl_multi_set_socket_callback(multi) { _, socket, interest, me, _ in
      if let me { Unmanaged<CurlPool>.fromOpaque(me)._withUnsafeGuaranteedRef { $0.watch(socket, interest) } }
      return 0
    }
    ccurl_multi_set_pointer(multi, CURLMOPT_TIMERDATA, me)
    ccurl_multi_set_timer_callback(multi) { _, milliseconds, me in
      if let me { Unmanaged<CurlPool>.fromOpaque(me)._withUnsafeGuaranteedRef { $0.setTimer(milliseconds) } }
      return 0
    }
  }

  var hasRoom: Bool { count < capacity }

  /// Whether the pool has so few transfers that an empty pool after it can be closed.
  var isHalfEmpty: Bool { count <= capacity / 2 }

  func add(_ easy: CurlEasy) throws(TransportError) {
    count += 1
    makeRoom()
    let code = curl_multi_add_handle(multi, easy.handle)
    guard code == CURLM_OK else {
      count -= 1
      throw .connection(.noResources, detail: String(cString: curl_multi_strerror(code)))
    }
  }

  func remove(_ easy: CurlEasy) {
    curl_multi_remove_handle(multi, easy.handle)
    count -= 1
    makeRoom()
  }

  /// Adjusts how many connections libcurl keeps. libcurl includes connections in use in that number, and beyond it
  /// closes the one that has just received a response: with many open requests, each further request would need a new
  /// connection. When many requests end together, the next ones need their connections again, so the number drops a
  /// second or two later.
  private func makeRoom() {
    mostInWindow = max(mostInWindow, count)
    most = max(most, count)
    ccurl_multi_set_long(multi, CURLMOPT_MAXCONNECTS, maxIdleConnections + most)
  }

  /// Whether the pool has had nothing to do for a while.
  var isIdle: Bool { most == 0 }

  /// The number of connections that can stay idle.
  var idleLimit: Int { maxIdleConnections + most - count }

  /// Returns true if fewer connections can stay idle from now on.
  func endWindow(at now: Int) -> Bool {
    if windowEnds == .max, most > count { windowEnds = now + Self.window }
    guard windowEnds <= now else { return false }
    let old = most
    most = mostInWindow
    mostInWindow = count
    windowEnds = most > count ? now + Self.window : .max
    makeRoom()
    return most < old
  }

  func handle(_ socket: curl_socket_t, _ mask: Int32) {
    var running: Int32 = 0
    curl_multi_socket_action(multi, socket, mask, &running)
  }

  /// Runs everything that is due.
  func advance(to now: Int) {
    var running: Int32 = 0
    // A newly added transfer also counts as a timer. Bounded, so that events are not delayed.
    for _ in 0..<8 where timerDue <= now {
      timerDue = .max
      curl_multi_socket_action(multi, curl_socket_t(-1), 0, &running)  // CURL_SOCKET_TIMEOUT
    }
  }

  /// The result of an ended transfer and the context of its handle; nil when no more have ended.
  func nextEnded() -> (context: UnsafeMutableRawPointer?, code: CURLcode)? {
    var left: Int32 = 0
    while let message = curl_multi_info_read(multi, &left) {
      guard message.pointee.msg == CURLMSG_DONE else { continue }
      var context: UnsafeMutableRawPointer?
      ccurl_get_pointer(message.pointee.easy_handle, CURLINFO_PRIVATE, &context)
      return (context, message.pointee.data.result)
    }
    return nil
  }

  /// Closes the kept connections. Call this once, when no transfer is left; the pool cannot be used afterward.
  func close() {
    curl_multi_cleanup(multi)
  }

  private func watch(_ socket: curl_socket_t, _ interest: Int32) {
    guard interest & CURL_POLL_INOUT != 0 else { return sockets.forget(socket) }  // CURL_POLL_REMOVE
    sockets.watch(socket, of: number, for: interest)
  }

  private func setTimer(_ milliseconds: Int) {
    timerDue = milliseconds < 0 ? .max : milliseconds == 0 ? 0 : MonotonicClock.now() + milliseconds * 1_000_000
  }
}
#endif
