#if os(Linux)
import Foundation
import Glibc
import LarderTestSupport

import FetchKit

/// A listening socket whose connections are served by plain blocking code, one thread each: for behaviour that a
/// well-behaved server does not have, and for addresses other than 127.0.0.1.
final class RawPeer: Sendable {
  struct SocketError: Error {
    let call: String
    let code: Int32
  }

  enum Family: Sendable {
    case ipv4
    case ipv6
  }

  /// The open descriptors. Each is closed by the one thread that reads from it, and under the lock: the number of a
  /// closed one may belong to other code a moment later.
  private struct Open {
    var listener: Int32?
    var connections: Set<Int32> = []
    var isStopped = false
  }

  let port: UInt16
  private let open: Lock<Open>
  private let isServed: Bool

  /// Serves each connection with `serve` and closes it when that returns. With nil no connection is ever accepted.
  init(
    _ family: Family = .ipv4, backlog: Int32 = 128, serve: (@Sendable (RawConnection) -> Void)?
  ) throws {
    let domain = family == .ipv4 ? AF_INET : AF_INET6
    let descriptor = socket(domain, SocketKind.stream | SocketKind.closesOnExec, 0)
    guard descriptor >= 0 else { throw SocketError(call: "socket", code: errno) }
    var storage = sockaddr_storage()
    var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
    withUnsafeMutableBytes(of: &storage) { bytes in
      switch family {
      case .ipv4:
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        bytes.storeBytes(of: address, as: sockaddr_in.self)
        size = socklen_t(MemoryLayout<sockaddr_in>.size)
      case .ipv6:
        var address = sockaddr_in6()
        address.sin6_family = sa_family_t(AF_INET6)
        address.sin6_addr = in6addr_loopback
        bytes.storeBytes(of: address, as: sockaddr_in6.self)
        size = socklen_t(MemoryLayout<sockaddr_in6>.size)
      }
    }
    let isListening = withUnsafeMutablePointer(to: &storage) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, size) == 0 && listen(descriptor, backlog) == 0 && getsockname(descriptor, $0, &size) == 0
      }
    }
    guard isListening else {
      let code = errno
      close(descriptor)
      throw SocketError(call: "listen", code: code)
    }
    // The port is at the same offset in both kinds of address.
    port = withUnsafeBytes(of: &storage) { UInt16(bigEndian: $0.load(fromByteOffset: 2, as: UInt16.self)) }
    let open = Lock(Open(listener: descriptor))
    self.open = open
    isServed = serve != nil
    guard let serve else { return }
    Thread.detachNewThread {
      while true {
        let accepted = accept(descriptor, nil, nil)
        let goesOn = open.withLock { open in
          if accepted >= 0, !open.isStopped {
            open.connections.insert(accepted)
            return true
          }
          if accepted >= 0 { close(accepted) }
          open.listener = nil
          close(descriptor)
          return false
        }
        guard goesOn else { return }
        Thread.detachNewThread {
          serve(RawConnection(descriptor: accepted))
          open.withLock { open in
            open.connections.remove(accepted)
            close(accepted)
          }
        }
      }
    }
  }

  deinit {
    open.withLock { open in
      open.isStopped = true
      for connection in open.connections { shutdown(connection, Int32(SHUT_RDWR)) }
      guard let listener = open.listener else { return }
      if isServed { shutdown(listener, Int32(SHUT_RDWR)) } else { close(listener) }
    }
  }

  func url(_ path: String = "/", host: String = "127.0.0.1") throws -> URL {
    guard let url = URL(string: "http://\(host):\(port)\(path)") else { throw URLError(.badURL) }
    return url
  }
}

/// A connection that takes a place in a peer's backlog and sends nothing.
final class FillerConnection: Sendable {
  let descriptor: Int32

  init(to port: UInt16, waits: Bool = false) throws {
    let blocking = waits ? 0 : SocketKind.nonBlocking
    descriptor = socket(AF_INET, SocketKind.stream | SocketKind.closesOnExec | blocking, 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard result == 0 || errno == EINPROGRESS else { throw RawPeer.SocketError(call: "connect", code: errno) }
  }

  deinit {
    close(descriptor)
  }
}

/// One connection of a ``RawPeer``.
struct RawConnection: Sendable {
  let descriptor: Int32

  /// Bytes up to and including that text; nil if the peer closes before.
  func read(through end: String) -> String? {
    var text: [UInt8] = []
    var byte: UInt8 = 0
    while recv(descriptor, &byte, 1, 0) == 1 {
      text.append(byte)
      if text.suffix(end.utf8.count).elementsEqual(end.utf8) { return String(decoding: text, as: UTF8.self) }
    }
    return nil
  }

  func readHead() -> String? {
    read(through: "\r\n\r\n")
  }

  @discardableResult
  func write(_ text: String) -> Bool {
    Array(text.utf8).withUnsafeBytes { write($0) }
  }

  @discardableResult
  func write(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = send(
        descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count, Int32(MSG_NOSIGNAL))
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }

  /// Writes the piece again and again, and returns how many bytes were sent when the other side has read none for that
  /// long, or when the maximum is reached.
  func writeUntilHeldBack(_ piece: [UInt8], timeout: Duration, most: Int = .max) -> Int {
    var total = 0
    while total < most {
      var wanted = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
      guard
        poll(
          &wanted, 1,
          Int32(timeout.components.seconds * 1000) + Int32(timeout.components.attoseconds / 1_000_000_000_000_000))
          == 1
      else { return total }
      let rest = piece[(total % piece.count)...].prefix(most - total)
      let count = rest.withUnsafeBytes {
        send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT))
      }
      if count > 0 { total += count } else if errno != EAGAIN { return total }
    }
    return total
  }

  /// Sends each piece immediately, even if the one before is not acknowledged yet.
  func sendAtOnce() {
    var isOn: Int32 = 1
    setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &isOn, socklen_t(MemoryLayout<Int32>.size))
  }

  /// Blocks until the other side closes.
  func waitForClose() {
    var byte: UInt8 = 0
    while recv(descriptor, &byte, 1, 0) > 0 {}
  }
}
#endif
