#if canImport(Darwin)
internal import Darwin
#elseif canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

/// The socket calls that the server needs, on non-blocking stream sockets.
struct Socket {
  enum Outcome: Equatable {
    case count(Int)
    case wouldBlock
    case ended
  }

  struct Failure: Error, CustomStringConvertible {
    let call: String
    let code: Int32

    var description: String { "\(call): \(String(cString: strerror(code)))" }
  }

  let descriptor: Int32

  /// Listens on 127.0.0.1. Port 0 selects a free port.
  static func listening(port: UInt16) throws -> Socket {
    #if canImport(Darwin)
    let kind = SOCK_STREAM
    #else
    let kind = Int32(SOCK_STREAM.rawValue)
    #endif
    let socket = Socket(descriptor: socket(AF_INET, kind, 0))
    guard socket.descriptor >= 0 else { throw Failure(call: "socket", code: errno) }
    socket.makeNonBlocking()
    var yes: Int32 = 1
    setsockopt(socket.descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let bound = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(socket.descriptor, $0, size) }
    }
    guard bound == 0, listen(socket.descriptor, 4096) == 0 else {
      let failure = Failure(call: bound == 0 ? "listen" : "bind", code: errno)
      socket.close()
      throw failure
    }
    return socket
  }

  var port: UInt16 {
    var address = sockaddr_in()
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    _ = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &size) }
    }
    return UInt16(bigEndian: address.sin_port)
  }

  /// Returns the next connection, or nil if none is waiting.
  func accept() -> Socket? {
    #if canImport(Darwin)
    let accepted = Darwin.accept(descriptor, nil, nil)
    #elseif canImport(Musl)
    let accepted = Musl.accept(descriptor, nil, nil)
    #else
    let accepted = Glibc.accept(descriptor, nil, nil)
    #endif
    guard accepted >= 0 else { return nil }
    let socket = Socket(descriptor: Self.apart(accepted))
    socket.makeNonBlocking()
    var yes: Int32 = 1
    let size = socklen_t(MemoryLayout<Int32>.size)
    setsockopt(socket.descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, size)
    #if canImport(Darwin)
    setsockopt(socket.descriptor, SOL_SOCKET, SO_NOSIGPIPE, &yes, size)
    #endif
    return socket
  }

  /// Moves the socket to a descriptor number that the rest of this process rarely uses.
  ///
  /// URLSession on Linux closes sockets that Dispatch still watches. A new socket that immediately reuses the number of
  /// such a socket is treated as already watched and never receives events.
  private static func apart(_ descriptor: Int32) -> Int32 {
    #if !canImport(Darwin)
    let moved = fcntl(descriptor, F_DUPFD_CLOEXEC, 256)
    guard moved >= 0 else { return descriptor }
    Socket(descriptor: descriptor).close()
    return moved
    #else
    return descriptor
    #endif
  }

  func read(into buffer: UnsafeMutableRawBufferPointer) -> Outcome {
    outcome(of: recv(descriptor, buffer.baseAddress, buffer.count, 0))
  }

  func write(_ bytes: UnsafeRawBufferPointer) -> Outcome {
    #if canImport(Darwin)
    let flags: Int32 = 0
    #else
    let flags = Int32(MSG_NOSIGNAL)
    #endif
    return outcome(of: send(descriptor, bytes.baseAddress, bytes.count, flags))
  }

  func shutDownSending() {
    shutdown(descriptor, Int32(SHUT_WR))
  }

  /// Makes the next close reset the connection instead of ending it gracefully.
  func resetOnClose() {
    var option = linger(l_onoff: 1, l_linger: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
  }

  func close() {
    #if canImport(Darwin)
    _ = Darwin.close(descriptor)
    #elseif canImport(Musl)
    _ = Musl.close(descriptor)
    #else
    _ = Glibc.close(descriptor)
    #endif
  }

  private func makeNonBlocking() {
    _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
  }

  private func outcome(of count: Int) -> Outcome {
    if count > 0 { return .count(count) }
    if count < 0, errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR { return .wouldBlock }
    return .ended
  }
}
