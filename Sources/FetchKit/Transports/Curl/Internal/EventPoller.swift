#if canImport(CLarderCurl)
internal import CLarderCurl
internal import Glibc

/// An epoll set with a wake-up descriptor: any thread can wake the one thread that waits.
final class EventPoller: Sendable {
  struct SocketEvent {
    let pool: Int
    let socket: curl_socket_t
    /// Flags such as `CURL_CSELECT_IN`.
    let mask: Int32
  }

  private static let wakeUpMark = UInt64.max
  private let epoll: Int32
  private let wakeupDescriptor: Int32

  init() throws(CurlTransport.SetupError) {
    epoll = epoll_create1(Int32(EPOLL_CLOEXEC))
    wakeupDescriptor = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
    var event = epoll_event(events: EPOLLIN.rawValue, data: epoll_data(u64: Self.wakeUpMark))
    guard epoll >= 0, wakeupDescriptor >= 0, epoll_ctl(epoll, EPOLL_CTL_ADD, wakeupDescriptor, &event) == 0 else {
      let reason = String(cString: strerror(errno))
      if epoll >= 0 { close(epoll) }
      if wakeupDescriptor >= 0 { close(wakeupDescriptor) }
      throw .noResources(reason: reason)
    }
  }

  deinit {
    close(epoll)
    close(wakeupDescriptor)
  }

  /// Makes `wait` return, now or on the next call.
  func wakeUp() {
    var one: UInt64 = 1
    _ = write(wakeupDescriptor, &one, 8)
  }

  /// Watches one of the pool's sockets for the events that libcurl requested.
  func watch(_ socket: curl_socket_t, of pool: Int, for interest: Int32, isKnown: Bool) {
    let mark = UInt64(pool) << 32 | UInt64(UInt32(bitPattern: socket))
    var event = epoll_event(events: 0, data: epoll_data(u64: mark))
    if interest & CURL_POLL_IN != 0 { event.events |= EPOLLIN.rawValue }
    if interest & CURL_POLL_OUT != 0 { event.events |= EPOLLOUT.rawValue }
    epoll_ctl(epoll, isKnown ? EPOLL_CTL_MOD : EPOLL_CTL_ADD, socket, &event)
  }

  /// Stops watching the socket.
  func forget(_ socket: curl_socket_t) {
    var event = epoll_event()
    epoll_ctl(epoll, EPOLL_CTL_DEL, socket, &event)
  }

  /// Waits for events, a wake-up or the time, measured by ``MonotonicClock``. Returns how many of `events` are filled.
  func wait(into events: inout [epoll_event], until time: Int) -> Int {
    var milliseconds: Int32 = -1
    // Rounded up: a wait that ends just before a deadline would only lead to another one.
    if time != .max { milliseconds = Int32(max(0, min(60_000, (time - MonotonicClock.now() + 999_999) / 1_000_000))) }
    return max(0, Int(epoll_wait(epoll, &events, Int32(events.count), milliseconds)))
  }

  /// The event as libcurl expects it; nil for the wake-up descriptor, which is reset.
  func selection(for event: epoll_event) -> SocketEvent? {
    guard event.data.u64 != Self.wakeUpMark else {
      var count: UInt64 = 0
      _ = read(wakeupDescriptor, &count, 8)
      return nil
    }
    var mask: Int32 = 0
    if event.events & EPOLLIN.rawValue != 0 { mask |= CURL_CSELECT_IN }
    if event.events & EPOLLOUT.rawValue != 0 { mask |= CURL_CSELECT_OUT }
    if event.events & (EPOLLERR.rawValue | EPOLLHUP.rawValue) != 0 { mask |= CURL_CSELECT_ERR }
    let socket = curl_socket_t(truncatingIfNeeded: event.data.u64)
    return SocketEvent(pool: Int(event.data.u64 >> 32), socket: socket, mask: mask)
  }
}

/// A monotonic clock in nanoseconds.
enum MonotonicClock {
  static func now() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
  }
}

extension Duration {
  /// The duration in nanoseconds, at least one millisecond and at most 100 years.
  var clampedNanoseconds: Int {
    max(1_000_000, min(nanoseconds, 100 * 365 * 86_400 * 1_000_000_000))
  }
}
#endif
