#if os(Linux)
internal import CCurl

/// A multi handle of libcurl's: transfers that share connections, driven by the sockets and the timer that libcurl
/// names.
///
/// To find a connection that can be used again libcurl looks at each one that stands to the host, those in use among
/// them: with thousands of requests hanging that costs any other more than all the rest. So a pool takes a limited
/// number of transfers, and the ``CurlCore`` makes as many pools as it needs.
final class CurlPool {
  /// By which the poller's events find the pool.
  let number: Int
  private(set) var count = 0
  /// When libcurl wants to be called without an event.
  private(set) var timerDue = Int.max
  /// When to ask next how many transfers there were at once.
  private(set) var windowEnds = Int.max
  /// The most transfers at once, since the last window began; and in this one.
  private var most = 0
  private var mostInWindow = 0
  private var isAttended = false
  /// The socket that a caller watches instead of the poller, and for what.
  private(set) var attended: EventPoller.SocketEvent?
  private static let window = 1_000_000_000
  private let capacity: Int
  private let idleConnections: Int
  private let sockets: CurlSockets
  private let multi: UnsafeMutableRawPointer

  init(_ number: Int, _ settings: CurlSettings, _ sockets: CurlSockets) throws(CurlTransport.SetupError) {
    guard let multi = curl_multi_init() else { throw .noResources(reason: "libcurl could not make a multi handle") }
    self.number = number
    self.multi = multi
    self.sockets = sockets
    idleConnections = settings.idleConnections
    // A limit of connections is libcurl's to keep, which it does for one multi handle alone.
    capacity = settings.connectionsPerHost > 0 ? .max : settings.transfersPerPool
    ccurl_multi_set_long(multi, CURLMOPT_MAX_HOST_CONNECTIONS, settings.connectionsPerHost)
    // The server's limit counts (until it is known libcurl takes it to be 100), not libcurl's own of 100: each request
    // beyond that would open a connection.
    ccurl_multi_set_long(multi, CURLMOPT_MAX_CONCURRENT_STREAMS, 1000)
    // Without QUICK_EXIT (8.20) closing the pool waits for name look-ups that go on.
    ccurl_multi_set_long(multi, CURLMoption(rawValue: UInt32(CURLOPTTYPE_LONG) + 21), 1)
    // Unretained is right: the core holds the pool until it has closed it.
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

  /// Whether so little is under way here that a pool after this one need not be kept for what may come.
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

  /// libcurl counts the connections in use among those it may keep, and beyond that closes the one just answered on:
  /// with many requests hanging each further one would need a connection of its own. Those of many requests that end at
  /// once are wanted again by the next ones, so the room for them falls a second or two later.
  private func makeRoom() {
    mostInWindow = max(mostInWindow, count)
    most = max(most, count)
    ccurl_multi_set_long(multi, CURLMOPT_MAXCONNECTS, idleConnections + most)
  }

  /// Whether it has had nothing to do for a while.
  var isCalm: Bool { most == 0 }

  /// How many connections may rest.
  var restingRoom: Int { idleConnections + most - count }

  /// True when fewer connections may rest from now on.
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

  /// Runs what is due.
  func advance(to now: Int) {
    var running: Int32 = 0
    // A transfer that was just added is a timer too. Bounded, so that events are not kept waiting.
    for _ in 0..<8 where timerDue <= now {
      timerDue = .max
      curl_multi_socket_action(multi, curl_socket_t(-1), 0, &running)  // CURL_SOCKET_TIMEOUT
    }
  }

  /// What a handle's transfer ended with, and the context the handle was given; nil when no more have ended.
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

  /// Closes the connections that are kept. To be called once, when no transfer is left, and nothing after it.
  func close() {
    curl_multi_cleanup(multi)
  }

  /// Keeps the next socket from the poller until `endAttendance`.
  func beginAttendance() {
    isAttended = true
  }

  func endAttendance() {
    isAttended = false
    guard let attended else { return }
    sockets.watch(attended.socket, of: number, for: attended.mask)
    self.attended = nil
  }

  private func watch(_ socket: curl_socket_t, _ interest: Int32) {
    let isTheAttended = attended?.socket == socket
    guard interest & CURL_POLL_INOUT != 0 else {  // CURL_POLL_REMOVE
      if isTheAttended { attended = nil } else { sockets.rest(socket) }
      return
    }
    if isTheAttended || isAttended && attended == nil {
      sockets.forget(socket)
      attended = EventPoller.SocketEvent(pool: number, socket: socket, mask: interest)
    } else {
      endAttendance()  // a second socket: the connection is only being made, which nobody waits for
      sockets.watch(socket, of: number, for: interest)
    }
  }

  private func setTimer(_ milliseconds: Int) {
    timerDue = milliseconds < 0 ? .max : milliseconds == 0 ? 0 : MonotonicClock.now() + milliseconds * 1_000_000
  }
}
#endif
