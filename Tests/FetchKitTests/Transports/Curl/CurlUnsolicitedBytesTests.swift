#if os(Linux)
import FetchKitTesting
import Foundation
import LarderTestSupport
import Testing

import FetchKit

/// Bytes that a server sends on a kept-alive connection after its response and before the next request.
@Suite(.timeLimit(.minutes(2))) struct CurlUnsolicitedBytesTests {
  private static let poison = "HTTP/1.1 408 Request Timeout\r\nContent-Length: 6\r\n\r\nPOISON"

  /// Answers each request with the number of its connection, and on the first connection sends unsolicited bytes after
  /// a pause. The pause is part of the test: bytes sent immediately are read with the response, later ones find the
  /// connection idle. The rest of the test waits for `said`, not for a time.
  private func peer(
    _ unasked: String, after pause: Duration, then said: @escaping @Sendable () -> Void, _ heads: Lock<[String]>
  ) throws -> RawPeer {
    let connections = Lock(0)
    return try RawPeer { connection in
      let number = connections.withLock { count in
        count += 1
        return count
      }
      while let head = connection.readHead() {
        heads.withLock { $0.append(head) }
        connection.write("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n\(number)")
        if number > 1 { continue }
        usleep(UInt32(pause.components.attoseconds / 1_000_000_000_000))
        connection.write(unasked)
        said()
      }
    }
  }

  @Test(arguments: [0, 1, 20, 150], [HTTPMethod.get, .post])
  func `unsolicited bytes are not a response, and the next request uses a new connection`(
    pause: Int, method: HTTPMethod
  ) async throws {
    let (spoken, saying) = AsyncStream<Void>.makeStream()
    let heads = Lock<[String]>([])
    let peer = try peer(Self.poison, after: .milliseconds(pause), then: { saying.yield() }, heads)
    let transport = try CurlTransport { $0.proxy = .none }
    let url = try peer.url()
    #expect(await transport.outcome(of: url) == .response(200, "1"))
    for await _ in spoken { break }
    let body = method == .post ? RequestBody(.data(Data())) : .none
    var request = TransportRequest(method, url, body: body)
    request.allowsResend = false
    for _ in 0..<40 { #expect(await transport.outcome(of: request) == .response(200, "2")) }
    #expect(heads.withLock { $0.count } == 41)
  }

  // libcurl reads a status line in any case, and no excess of a body that is longer than its buffer.
  @Test(arguments: ["", "HTTP/1.1 103 Early Hints\r\n\r\n"], ["HTTP/1.1", "http/1.1", "hTTp/1.1"])
  func `a status line in any case is read, and what exceeds its body is not a response`(
    interim: String, version: String
  ) async throws {
    let connections = Lock(0)
    let peer = try RawPeer { connection in
      let isFirst = connections.withLock { count in
        count += 1
        return count == 1
      }
      while connection.readHead() != nil {
        guard isFirst else {
          connection.write("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n2")
          continue
        }
        let body = String(repeating: "w", count: 70_001)
        connection.write(
          "\(interim)\(version) 200 OK\r\nConnection: keep-alive\r\nContent-Length: 70000\r\n\r\n" + body)
      }
    }
    let transport = try CurlTransport { $0.proxy = .none }
    let url = try peer.url()
    #expect(await transport.outcome(of: url) == .response(200, String(repeating: "w", count: 70_000)))
    #expect(await transport.outcome(of: url) == .response(200, "2"))
  }

  // `localhost` is also ::1, where no process listens: libcurl closes that socket itself, and its number is reused.
  @Test func `a connection that follows a refused one is guarded too`() async throws {
    let (spoken, saying) = AsyncStream<Void>.makeStream()
    let heads = Lock<[String]>([])
    let peer = try peer(Self.poison, after: .milliseconds(5), then: { saying.yield() }, heads)
    let transport = try CurlTransport { $0.proxy = .none }
    let closed = try ClosedPort()
    #expect(await transport.outcome(of: closed.url) == .failed("refused"))
    let url = try peer.url(host: "localhost")
    #expect(await transport.outcome(of: url) == .response(200, "1"))
    for await _ in spoken { break }
    #expect(await transport.outcome(of: url) == .response(200, "2"))
    withExtendedLifetime(closed) {}
  }

  @Test func `many concurrent requests receive no unsolicited response of another server`() async throws {
    let (spoken, saying) = AsyncStream<Void>.makeStream()
    let heads = Lock<[String]>([])
    let peer = try peer(Self.poison, after: .zero, then: { saying.yield() }, heads)
    let transport = try CurlTransport { $0.proxy = .none }
    let url = try peer.url()
    #expect(await transport.outcome(of: url) == .response(200, "1"))
    for await _ in spoken { break }
    await withTaskGroup(of: Outcome.self) { group in
      for _ in 0..<20 { group.addTask { await transport.outcome(of: url) } }
      for await outcome in group {
        // libcurl drops bytes that arrive together with a response: such a connection can be reused.
        guard case .response(200, _) = outcome else {
          Issue.record("\(outcome)")
          continue
        }
      }
    }
  }

  // Bytes between nginx and its client that are not TLS: if they were read, they would end the next request.
  @Test(
    .enabled(if: NginxServer.isInstalled, "nginx or openssl is not installed"), arguments: [0, 1, 20, 150])
  func `over TLS unsolicited bytes do not harm the next request`(pause: Int) async throws {
    let nginx = try NginxServer.shared.get()
    let server = try LoopbackServer()
    server.on("/", .text("x"))
    let (spoken, saying) = AsyncStream<Void>.makeStream()
    let relays = Lock(0)
    let injections = Lock<[RawConnection]>([])
    let peer = try RawPeer { connection in
      relays.withLock { $0 += 1 }
      injections.withLock { $0.append(connection) }
      Tunnel.relay(connection, to: nginx.port)
    }
    let transport = try CurlTransport {
      $0.proxy = .none
      $0.allowsHTTP2 = false
      $0.certificateAuthorities = .only(.file(nginx.authority))
    }
    let url = try nginx.url("/", of: server, port: peer.port)
    for _ in 0..<5 { #expect(await transport.outcome(of: url) == .response(200, "x")) }
    #expect(relays.withLock { $0 } == 1)
    Thread.detachNewThread {
      usleep(UInt32(pause) * 1000)  // part of the test, as above
      injections.withLock { $0[0] }.write([23, 3, 3, 0, 5, 1, 2, 3, 4, 5])
      saying.yield()
    }
    for await _ in spoken { break }
    for _ in 0..<5 { #expect(await transport.outcome(of: url) == .response(200, "x")) }
    #expect(relays.withLock { $0 } == 2)
  }

  @Test(.enabled(if: NginxServer.isInstalled, "nginx or openssl is not installed"), arguments: [true, false])
  func `idle TLS connections are still reused`(byHTTP2: Bool) async throws {
    let nginx = try NginxServer.shared.get()
    let server = try LoopbackServer()
    server.on("/connection") { request in .text(request.headers["X-Connection"] ?? "") }
    let transport = try CurlTransport {
      $0.proxy = .none
      $0.allowsHTTP2 = byHTTP2
      $0.certificateAuthorities = .only(.file(nginx.authority))
    }
    let url = try nginx.url("/connection", of: server)
    let first = await transport.outcome(of: url)
    for _ in 0..<50 { #expect(await transport.outcome(of: url) == first) }
  }

  /// How a server answers the second request on its first connection.
  private func timeoutPeer(_ heads: Lock<[String]>, isAlways: Bool) throws -> RawPeer {
    try RawPeer { connection in
      var isFirst = true
      while let head = connection.readHead() {
        let isNew = heads.withLock { heads in
          heads.append(head)
          return heads.count != 2 && !isAlways
        }
        guard isFirst && isNew || isFirst && isAlways && heads.withLock(\.count) == 1 else {
          connection.write("HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 0\r\n\r\n")
          return
        }
        isFirst = false
        connection.write("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n1")
      }
    }
  }

  @Test(arguments: [HTTPMethod.get, .post], [true, false])
  func `a 408 that answers a request on a kept connection is a dead connection, once`(
    method: HTTPMethod, isAlways: Bool
  ) async throws {
    let heads = Lock<[String]>([])
    let peer = try timeoutPeer(heads, isAlways: isAlways)
    let transport = try CurlTransport { $0.proxy = .none }
    let url = try peer.url()
    #expect(await transport.outcome(of: url) == .response(200, "1"))
    let request = TransportRequest(method, url, body: method == .post ? .data(Data("order".utf8)) : .none)
    #expect(await transport.outcome(of: request) == (isAlways ? .response(408, "") : .response(200, "1")))
    #expect(heads.withLock(\.count) == 3)
  }

  @Test func `a 408 to the first request on a connection is the response`() async throws {
    let peer = try RawPeer { connection in
      guard connection.readHead() != nil else { return }
      connection.write("HTTP/1.1 408 Request Timeout\r\nContent-Length: 0\r\n\r\n")
    }
    let transport = try CurlTransport { $0.proxy = .none }
    #expect(await transport.outcome(of: try peer.url()) == .response(408, ""))
  }

  @Test func `the system asks a silent peer whether it is still there`() async throws {
    let server = try LoopbackServer()
    server.on("/", .text("x"))
    let transport = try CurlTransport { $0.proxy = .none }
    #expect(await transport.outcome(of: server.url) == .response(200, "x"))
    let kept = (0..<1024).filter { descriptor in
      var peer = sockaddr_in()
      var size = socklen_t(MemoryLayout<sockaddr_in>.size)
      let code = withUnsafeMutableBytes(of: &peer) {
        getpeername(Int32(descriptor), $0.baseAddress?.assumingMemoryBound(to: sockaddr.self), &size)
      }
      return code == 0 && peer.sin_family == sa_family_t(AF_INET) && UInt16(bigEndian: peer.sin_port) == server.port
    }
    #expect(!kept.isEmpty)
    for descriptor in kept {
      for (level, option, expected) in [
        (SOL_SOCKET, SO_KEEPALIVE, 1), (Int32(IPPROTO_TCP), TCP_KEEPIDLE, 45), (Int32(IPPROTO_TCP), TCP_KEEPINTVL, 15),
        (Int32(IPPROTO_TCP), TCP_KEEPCNT, 4),
      ] {
        var value: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        #expect(getsockopt(Int32(descriptor), level, option, &value, &size) == 0)
        #expect(value == expected)
      }
    }
    withExtendedLifetime(transport) {}
  }
}
#endif
