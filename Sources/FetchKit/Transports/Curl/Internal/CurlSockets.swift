#if os(Linux)
internal import CCurl
internal import Glibc

/// The sockets of libcurl's, opened and closed on its behalf, and what the poller watches them for.
///
/// libcurl wants to know of a socket from the moment a request is sent until it is answered. A socket whose connection
/// is kept stays in the poller's set meanwhile, which saves two system calls per request; it leaves it when something
/// happens that nobody wants to know, as when the server closes the connection, or sends more than a paused transfer
/// takes. So it must be known when a number is given to another socket: that is why the sockets are opened and closed
/// here.
///
/// Confined to the ``CurlCore``.
final class CurlSockets {
  struct Entry {
    /// What it is in the poller's set for; 0 when it is not.
    var watchedFor: Int32 = 0
    var isWanted = false
    /// Whether its end will be told here.
    var isOurs = false
    /// Counts up over all sockets; 0 for none of ours.
    var connection = 0
    /// On this side; 0 until it is asked for.
    var port: Int32 = 0
    /// Whether a request on it was answered by a version of HTTP in which nothing but answers comes from a server.
    var speaksOnlyWhenAsked = false
    /// The last use of it.
    var use = 0
    /// Counts up where a request was answered by a version of HTTP that has one at a time, until there is the next; 0
    /// while there is one.
    var restsSince = 0
    /// How many times in a row there was room to write, and nothing came of it.
    var idleWrites = 0
    /// Whether room to write is not waited for at the moment, though libcurl wants to know of it.
    var isHeld = false
  }

  private let poller: EventPoller
  /// Whether a socket could not be opened in this turn because descriptors or memory have run out.
  private(set) var hasRunOut = false
  /// By number.
  var entries: [Entry] = []
  /// The numbers of those whose port is known, by it.
  var byPort: [Int32: [curl_socket_t]] = [:]
  /// How many sockets were opened.
  private var connections = 0
  /// How many requests went out on connections, and how many were answered.
  var uses = 0
  var rests = 0
  /// Those that are held, and when they no longer are.
  var held: [(socket: curl_socket_t, pool: Int)] = []
  var writesDue = Int.max
  /// Those whose port is not known yet.
  var unnamed: [curl_socket_t] = []

  init(_ poller: EventPoller) {
    self.poller = poller
  }

  /// Has the handle's sockets opened and closed here; this must outlive them.
  func serve(_ easy: CurlEasy) {
    // Unretained is right: the core holds this until it has closed its pools, and with them every connection.
    let me = Unmanaged.passUnretained(self).toOpaque()
    ccurl_set_pointer(easy.handle, CURLOPT_OPENSOCKETDATA, me)
    ccurl_set_open_socket_callback(easy.handle) { me, _, address in
      guard let me, let address = address?.pointee else { return -1 }
      return Unmanaged<CurlSockets>.fromOpaque(me)._withUnsafeGuaranteedRef { $0.open(address) }
    }
    ccurl_set_pointer(easy.handle, CURLOPT_CLOSESOCKETDATA, me)
    ccurl_set_close_socket_callback(easy.handle) { me, socket in
      guard let me else { return -1 }
      return Unmanaged<CurlSockets>.fromOpaque(me)._withUnsafeGuaranteedRef { $0.close(socket) }
    }
  }

  func beginTurn() {
    hasRunOut = false
  }

  /// Watches the socket for what libcurl wants to know of it: `CURL_POLL_IN` and its like.
  func watch(_ socket: curl_socket_t, of pool: Int, for interest: Int32) {
    makeRoom(for: socket)
    let known = entries[Int(socket)].watchedFor
    if known != interest { poller.watch(socket, of: pool, for: interest, isKnown: known != 0) }
    entries[Int(socket)].watchedFor = interest
    entries[Int(socket)].isWanted = true
    entries[Int(socket)].isHeld = false
  }

  /// Nobody wants to know of the socket for now.
  func rest(_ socket: curl_socket_t) {
    makeRoom(for: socket)
    entries[Int(socket)].isWanted = false
    entries[Int(socket)].isHeld = false
    guard !entries[Int(socket)].isOurs || entries[Int(socket)].watchedFor != CURL_POLL_IN else { return }
    // Watched for room to write it would tell of that at once. Or the connection never stood: such a socket libcurl
    // 7.88 to 8.1 closes by itself.
    entries[Int(socket)].isOurs = false
    forget(socket)
  }

  /// Takes the socket out of the poller's set.
  func forget(_ socket: curl_socket_t) {
    makeRoom(for: socket)
    entries[Int(socket)].isWanted = false
    entries[Int(socket)].isHeld = false
    guard entries[Int(socket)].watchedFor != 0 else { return }
    entries[Int(socket)].watchedFor = 0
    poller.forget(socket)
  }

  /// Whether libcurl is to be told of what happened on the socket.
  func wantsEvent(of socket: curl_socket_t) -> Bool {
    guard Int(socket) < entries.count, entries[Int(socket)].isWanted else {
      forget(socket)  // else it would be told again and again
      return false
    }
    return true
  }

  func open(_ address: curl_sockaddr) -> curl_socket_t {
    let new = socket(address.family, address.socktype | Int32(SOCK_CLOEXEC.rawValue), address.protocol)
    guard new >= 0 else {
      if [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(errno) { hasRunOut = true }
      return -1  // CURL_SOCKET_BAD
    }
    makeRoom(for: new)
    // libcurl 7.88 to 8.1 closes by itself what never stood: the number may be known from before.
    forgetPort(of: new)
    connections += 1
    entries[Int(new)] = Entry(isOurs: true, connection: connections)
    unnamed.append(new)
    return new
  }

  func close(_ socket: curl_socket_t) -> Int32 {
    forget(socket)  // closing does so too, but not while a child process that is just being started has it
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
