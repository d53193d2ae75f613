#if canImport(CLarderCurl)
internal import CLarderCurl
internal import Glibc

/// libcurl's sockets, opened and closed on its behalf, and the events the poller watches them for.
///
/// The sockets are opened and closed here because libcurl does not say which connection it uses, why it could not open
/// a socket, or which connections are idle; see `CurlSockets+Idle`. The socket of a connection that libcurl
/// does not watch, between requests or while a stream is paused, stays in the poller's set until the next event.
///
/// Confined to the ``CurlCore``.
final class CurlSockets {
  struct Entry {
    /// The server's host and port, as the request for which the connection was opened names them.
    var server = ""
    /// The events that libcurl requested; 0 if none.
    var watchedFor: Int32 = 0
    /// The events for which the socket is in the poller's set; 0 if it is not in the set.
    var polledFor: Int32 = 0
    /// A number that increases with every socket; 0 for sockets opened elsewhere.
    var connection = 0
    /// The local port; 0 until it is looked up.
    var port: Int32 = 0
    /// Whether the last response used an HTTP version in which a server sends nothing but responses.
    var sendsOnlyResponses = false
    /// The number of the last use.
    var use = 0
    /// A number that increases each time a connection becomes idle, set for HTTP versions with one request at a time; 0
    /// while a request is in progress.
    var idleSince = 0
    /// The number of consecutive write events that had no effect.
    var idleWrites = 0
    /// Whether the socket is temporarily not watched for writability, although libcurl requested it.
    var isHeld = false
  }

  private let poller: EventPoller
  /// Whether a socket could not be opened in this turn for lack of descriptors or memory.
  private(set) var hasRunOut = false
  /// Indexed by descriptor.
  var entries: [Entry] = []
  /// The descriptors of sockets with a known port, by port.
  var byPort: [Int32: [curl_socket_t]] = [:]
  /// The number of sockets opened so far.
  private var connections = 0
  /// The numbers of requests sent on connections, and of requests that ended.
  var uses = 0
  var idleCounter = 0
  /// The held sockets, and when they are released.
  var held: [(socket: curl_socket_t, pool: Int)] = []
  var writesDue = Int.max
  /// Sockets whose port has not been looked up yet.
  var unnamed: [curl_socket_t] = []

  init(_ poller: EventPoller) {
    self.poller = poller
  }

  /// Closes the sockets of the easy handle through this object, which must outlive them.
  func serve(_ handle: UnsafeMutableRawPointer) {
    // Unretained is correct: the core holds this object until it has closed its pools, and with them every connection.
    let me = Unmanaged.passUnretained(self).toOpaque()
    ccurl_set_pointer(handle, CURLOPT_CLOSESOCKETDATA, me)
    ccurl_set_close_socket_callback(handle) { me, socket in
      guard let me else { return -1 }
      return Unmanaged<CurlSockets>.fromOpaque(me)._withUnsafeGuaranteedRef { $0.close(socket) }
    }
  }

  func beginTurn() {
    hasRunOut = false
  }

  /// Watches the socket for the events that libcurl requested, such as `CURL_POLL_IN`.
  func watch(_ socket: curl_socket_t, of pool: Int, for interest: Int32) {
    makeRoom(for: socket)
    let known = entries[Int(socket)].polledFor
    if known != interest { poller.watch(socket, of: pool, for: interest, isKnown: known != 0) }
    entries[Int(socket)].polledFor = interest
    entries[Int(socket)].watchedFor = interest
    entries[Int(socket)].isHeld = false
  }

  /// Stops watching the socket, because libcurl has requested no events for it. That of a connection that has served a
  /// request stays in the poller's set for what arrives, because it will probably be watched again. libcurl may close
  /// any other socket itself.
  func forget(_ socket: curl_socket_t) {
    makeRoom(for: socket)
    entries[Int(socket)].isHeld = false
    entries[Int(socket)].watchedFor = 0
    if entries[Int(socket)].use == 0 || entries[Int(socket)].polledFor != CURL_POLL_IN { unpoll(socket) }
  }

  private func unpoll(_ socket: curl_socket_t) {
    guard entries[Int(socket)].polledFor != 0 else { return }
    entries[Int(socket)].polledFor = 0
    poller.forget(socket)
  }

  /// Whether the event on the socket is to be passed to libcurl. If not, the connection is idle or its stream
  /// paused, or an event before has ended it, and the socket leaves the poller's set.
  func wantsEvent(of socket: curl_socket_t) -> Bool {
    guard Int(socket) < entries.count else { return false }
    if entries[Int(socket)].watchedFor == 0 { unpoll(socket) }
    return entries[Int(socket)].watchedFor != 0
  }

  func open(_ address: curl_sockaddr, to server: String) -> curl_socket_t {
    let new = socket(address.family, address.socktype | Int32(SOCK_CLOEXEC.rawValue), address.protocol)
    guard new >= 0 else {
      if [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(errno) { hasRunOut = true }
      return -1  // CURL_SOCKET_BAD
    }
    keepAlive(new)
    makeRoom(for: new)
    // libcurl 7.88 to 8.1 itself closes sockets that were never connected, so the descriptor may already be known.
    forgetPort(of: new)
    connections += 1
    entries[Int(new)] = Entry(server: server, connection: connections)
    unnamed.append(new)
    return new
  }

  /// Makes the system ask a silent peer whether it is still there, so that a lost peer of an idle event stream is
  /// noticed after 105 seconds.
  private func keepAlive(_ socket: curl_socket_t) {
    func set(_ level: Int32, _ option: Int32, _ value: Int32) {
      var value = value
      setsockopt(socket, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
    }
    set(SOL_SOCKET, SO_KEEPALIVE, 1)
    let tcp = Int32(IPPROTO_TCP)
    set(tcp, TCP_KEEPIDLE, 45)
    set(tcp, TCP_KEEPINTVL, 15)
    set(tcp, TCP_KEEPCNT, 4)
  }

  func close(_ socket: curl_socket_t) -> Int32 {
    unpoll(socket)  // closing does that too, but not while a child process that is being started shares it
    forgetPort(of: socket)
    entries[Int(socket)] = Entry()
    return Glibc.close(socket)
  }

  private func makeRoom(for socket: curl_socket_t) {
    let missing = Int(socket) + 1 - entries.count
    if missing > 0 { entries.append(contentsOf: repeatElement(Entry(), count: missing)) }
  }
}
#endif
