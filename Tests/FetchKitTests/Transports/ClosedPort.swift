import Foundation
import LarderTestSupport

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A port at which connections are refused for as long as the value lives.
///
/// A stopped server gives its port to the next listener, another test's server for example; this port stays bound, and
/// no process listens on it.
final class ClosedPort: Sendable {
  struct SocketError: Error {
    let code: Int32
  }

  let url: URL
  private let descriptor: Int32

  init() throws {
    descriptor = socket(AF_INET, SocketKind.stream, 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let descriptor = descriptor
    let isBound = withUnsafeMutablePointer(to: &address) { address in
      address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(descriptor, address, length) == 0 && getsockname(descriptor, address, &length) == 0
      }
    }
    guard isBound, let url = URL(string: "http://127.0.0.1:\(UInt16(bigEndian: address.sin_port))/") else {
      throw SocketError(code: errno)
    }
    self.url = url
  }

  deinit {
    close(descriptor)
  }
}
