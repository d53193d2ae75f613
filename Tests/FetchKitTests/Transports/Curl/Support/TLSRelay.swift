#if os(Linux)
import Foundation
import Glibc

import FetchKit

/// Adds TLS, provided by nginx (``NginxServer/hasStreams``), to a server that speaks bytes.
///
/// It stands between the client and nginx, which would close gracefully where a test needs a cut.
final class TLSRelay: Sendable {
  /// By descriptor: which connection to nginx belongs to which client connection.
  private let relays: Lock<[Int32: FillerConnection]>
  private let peer: RawPeer

  init(to port: UInt16) throws {
    let nginx = try NginxServer.shared.get()
    let relays = Lock<[Int32: FillerConnection]>([:])
    self.relays = relays
    peer = try RawPeer { [streamPort = nginx.streamPort] connection in
      guard let other = try? FillerConnection(to: streamPort, waits: true) else { return }
      let toNginx = RawConnection(descriptor: other.descriptor)
      for side in [connection, toNginx] { side.sendAtOnce() }
      toNginx.write("PROXY TCP4 127.0.0.1 127.0.0.1 1 \(port)\r\n")
      relays.withLock { $0[connection.descriptor] = other }
      Tunnel.relay(connection, to: other)
      relays.withLock { $0[connection.descriptor] = nil }
    }
  }

  func url(_ path: String = "/") throws -> URL {
    guard let url = URL(string: "https://localhost:\(peer.port)\(path)") else { throw URLError(.badURL) }
    return url
  }

  /// Ends all connections without a TLS close message.
  func cut(resets: Bool) {
    relays.withLock { relays in
      for (client, nginx) in relays {
        var now = linger(l_onoff: resets ? 1 : 0, l_linger: 0)
        setsockopt(client, SOL_SOCKET, SO_LINGER, &now, socklen_t(MemoryLayout<linger>.size))
        shutdown(nginx.descriptor, Int32(SHUT_RDWR))  // ends the relay, and that closes the other side
      }
    }
  }
}
#endif
