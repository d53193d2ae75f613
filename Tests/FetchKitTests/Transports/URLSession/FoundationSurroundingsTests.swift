#if os(Linux)
import FetchKitTesting
import Foundation
import LarderTestSupport
import Testing

import FetchKit

/// What Foundation's URLSession on Linux uses from its process: the temporary folder and the environment's proxies.
/// Each in its own process.
@Suite(.timeLimit(.minutes(10))) struct FoundationSurroundingsTests {
  @Test func `without a temporary folder a streamed body fails without crashing the process`() async {
    await #expect(processExitsWith: .success) {
      try #require(setenv("TMPDIR", "/no/such/folder", 1) == 0)
      let server = try LoopbackServer()
      server.on("/", .text("x"))
      let transport = URLSessionTransport()
      let streamed = TransportRequest(.post, server.url, body: Self.stream(pieces: 2))
      #expect(await outcome(of: streamed, on: transport) == "requestBody")
      // A large response is not written to a file either.
      server.on("/large", LoopbackResponse(body: .repeated(Data(count: 1 << 20), count: 8)))
      let large = TransportRequest(.get, server.url.appending(path: "large"))
      #expect(await outcome(of: large, on: transport) == "200:\(8 << 20)")
    }
  }

  @Test func `no temporary file remains, however a request ends`() async {
    await #expect(processExitsWith: .success) {
      let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      try #require(setenv("TMPDIR", folder.path, 1) == 0)
      #expect(FileManager.default.temporaryDirectory.path.hasPrefix(folder.path))
      let gate = LoopbackGate()
      let server = try LoopbackServer()
      server.on("/ok", .text("x"))
      server.on("/gone", .text("x").cut(after: .start))
      server.on("/held", .text("late").held(at: gate))
      let transport = URLSessionTransport()
      // When the kept-alive connection dies, libcurl sends again, and URLSession waits for bytes it has read already.
      for (path, expected) in [("ok", ["200:1"]), ("gone", ["lost", "idle"])] {
        var request = TransportRequest(.post, server.url.appending(path: path), body: Self.stream(pieces: 3))
        request.timeouts.idle = .seconds(2)
        #expect(expected.contains(await outcome(of: request, on: transport)))
      }
      let failing = RequestBody(.stream(length: nil) { { throw CancellationError() } })
      let unread = TransportRequest(.post, server.url.appending(path: "ok"), body: failing)
      #expect(await outcome(of: unread, on: transport) == "requestBody")
      let held = TransportRequest(.post, server.url.appending(path: "held"), body: Self.stream(pieces: 3))
      let task = Task { await outcome(of: held, on: transport) }
      #expect(await eventually { server.requests.contains { $0.path == "/held" } })
      task.cancel()
      #expect(await task.value == "cancelled")
      let path = folder.path
      #expect(await eventually { (try? FileManager.default.contentsOfDirectory(atPath: path))?.isEmpty == true })
      gate.open()
    }
  }

  @Test(arguments: ["folder", "pipe", "other scheme", "missing"])
  func `a body that is not a regular file is an error without crashing the process`(kind: String) async {
    await #expect(processExitsWith: .success) { [kind = kind as String] in
      let server = try LoopbackServer()
      server.on("/", .text("x"))
      let pipe = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
      defer { try? FileManager.default.removeItem(at: pipe) }
      try #require(mkfifo(pipe.path, 0o600) == 0)
      let url =
        switch kind {
        case "folder": FileManager.default.temporaryDirectory
        case "pipe": pipe
        case "missing": URL(filePath: "/no/such/file")
        default: try #require(URL(string: "https://localhost/etc/passwd"))
        }
      var request = TransportRequest(.post, server.url, body: RequestBody(.file(url)))
      request.timeouts = Timeouts(connect: nil, idle: .seconds(10), total: .seconds(20))
      for transport in [URLSessionTransport(), try CurlTransport { $0.proxy = .none }] as [any Transport] {
        #expect(await outcome(of: request, on: transport) == "requestBody")
      }
      #expect(server.requests.isEmpty)
    }
  }

  @Test func `the environment names URLSession's proxy`() async {
    await #expect(processExitsWith: .success) {
      let peer = try RawPeer { connection in
        while connection.readHead() != nil {
          guard connection.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok") else { return }
        }
      }
      unsetenv("no_proxy")
      unsetenv("NO_PROXY")
      try #require(setenv("http_proxy", "http://127.0.0.1:\(peer.port)", 1) == 0)
      let far = try #require(URL(string: "http://no-such-host.invalid/"))
      #expect(await outcome(of: TransportRequest(.get, far), on: URLSessionTransport()) == "200:2")
    }
  }

  private static func stream(pieces: Int) -> RequestBody {
    RequestBody(
      .stream(length: nil) {
        let left = Lock(pieces)
        return {
          left.withLock { left in
            left -= 1
            return left < 0 ? nil : Data(count: 1000)
          }
        }
      })
  }
}
#endif
