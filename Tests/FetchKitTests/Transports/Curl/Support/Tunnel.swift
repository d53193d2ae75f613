#if os(Linux)
import Glibc

import FetchKit

/// A proxy that tunnels to ports of this machine, whatever host is named: with CONNECT, or with SOCKS 5 (RFC 1928).
final class Tunnel: Sendable {
  enum Kind: Sendable {
    case connect(answer: String)
    case socks(to: UInt16)
  }

  var port: UInt16 { peer.port }
  /// The requests it received: heads of CONNECT, or SOCKS addresses as `kind:bytes`.
  let asked: Lock<[String]>
  private let peer: RawPeer

  init(_ kind: Kind) throws {
    let asked = Lock<[String]>([])
    self.asked = asked
    peer = try RawPeer { connection in
      switch kind {
      case .connect(let answer):
        guard let head = connection.readHead(), let port = Self.port(in: head) else { return }
        asked.withLock { $0.append(head) }
        connection.write(answer)
        Self.relay(connection, to: port)
      case .socks(let port):
        guard let address = Self.greet(connection) else { return }
        asked.withLock { $0.append(address) }
        connection.write([5, 0, 0, 1, 0, 0, 0, 0, 0, 0])
        Self.relay(connection, to: port)
      }
    }
  }

  /// From `CONNECT host:443 HTTP/1.1`.
  private static func port(in head: String) -> UInt16? {
    head.split(separator: " ").dropFirst().first?.split(separator: ":").last.flatMap { UInt16($0) }
  }

  private static func greet(_ connection: RawConnection) -> String? {
    guard let greeting = connection.read(count: 2), connection.read(count: Int(greeting[1])) != nil else { return nil }
    connection.write([5, 0])
    guard let request = connection.read(count: 4) else { return nil }
    let length =
      switch request[3] {
      case 1: 4
      case 4: 16
      default: Int(connection.read(count: 1)?[0] ?? 0)
      }
    guard let address = connection.read(count: length), connection.read(count: 2) != nil else { return nil }
    return request[3] == 3 ? "name:" + String(decoding: address, as: UTF8.self) : "address:\(length)"
  }

  static func relay(_ connection: RawConnection, to port: UInt16) {
    guard let other = try? FillerConnection(to: port, waits: true) else { return }
    relay(connection, to: other)
  }

  /// Forwards bytes both ways until one side closes.
  static func relay(_ connection: RawConnection, to other: FillerConnection) {
    var watched = [connection.descriptor, other.descriptor].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    while poll(&watched, 2, -1) > 0 {
      for (from, to) in [(0, 1), (1, 0)] where watched[from].revents != 0 {
        let count = recv(watched[from].fd, &buffer, buffer.count, 0)
        guard count > 0 else { return withExtendedLifetime(other) {} }
        guard RawConnection(descriptor: watched[to].fd).write(Array(buffer[..<count])) else { return }
      }
    }
  }
}

extension RawConnection {
  /// Reads exactly that many bytes; nil if the peer closes before.
  func read(count: Int) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: count)
    return recv(descriptor, &bytes, count, Int32(MSG_WAITALL)) == count ? bytes : nil
  }

  @discardableResult
  func write(_ bytes: [UInt8]) -> Bool {
    bytes.withUnsafeBytes { write($0) }
  }
}
#endif
