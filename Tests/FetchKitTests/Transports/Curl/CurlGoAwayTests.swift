#if os(Linux)
import FetchKitTesting
import Foundation
import Testing

@testable import FetchKit

/// HTTP/2 connections that a server closes gracefully while requests are in flight.
@Suite(.timeLimit(.minutes(10))) struct CurlGoAwayTests {
  /// nginx reads no stream after the last one that it allows, and says so in a GOAWAY.
  @Test(
    .enabled(if: NginxServer.isInstalled, "nginx or openssl is not installed: GOAWAY is not tested"),
    .enabled(
      if: (try? CurlLibrary.load().reportsLastStream) == true, "libcurl before 7.88 does not say what it must"))
  func `a POST that the server has not processed is sent again and arrives once`() async throws {
    let nginx = try NginxServer.shared.get()
    let server = try LoopbackServer()
    server.on("/order", .text("taken"))
    let authority = nginx.authority
    let transport = try CurlTransport {
      $0.proxy = .none
      $0.certificateAuthorities = .only(.file(authority))
    }
    let url = try nginx.url("/order", of: server, port: nginx.shortLivedPort)
    let outcomes = await withTaskGroup(of: [Outcome].self) { group in
      for worker in 0..<6 {
        group.addTask {
          var outcomes: [Outcome] = []
          for order in 0..<100 {
            let body = RequestBody.data(Data("\(worker) \(order)".utf8))
            outcomes.append(await transport.outcome(of: TransportRequest(.post, url, body: body)))
          }
          return outcomes
        }
      }
      return await group.reduce(into: [Outcome]()) { $0 += $1 }
    }
    let failed = outcomes.filter { $0 != .response(200, "taken") }
    print(
      "POSTs through connections of three requests: \(failed.count) of \(outcomes.count) failed, \(Set(failed.map(\.description)))"
    )
    let orders = server.requests.map { String(decoding: $0.body, as: UTF8.self) }
    #expect(Set(orders).count == orders.count)
    #expect(failed.isEmpty)
  }

  @Test func `libcurl's notes about GOAWAY are recognized in the wording of every version`() {
    let notes: [(String, CurlHTTP2Note?)] = [
      ("Using Stream ID: 5 (easy handle 0x55d0)\n", .opened(5)),
      ("Using Stream ID: 2147483647", .opened(2_147_483_647)),
      ("[HTTP/2] [13] OPENED stream for https://localhost/\n", .opened(13)),
      ("recveived GOAWAY, error=0, last_stream=7\n", .ends(lastStream: 7, error: 0)),
      ("received GOAWAY, error=11, last_stream=0\n", .ends(lastStream: 0, error: 11)),
      ("REFUSED_STREAM, retrying a fresh connect\n", .refused), ("REFUSED_STREAM", nil),
      ("[HTTP/2] [13] [:path: /OPENED stream]\n", nil), ("[HTTP/2] [] OPENED stream", nil), ("[HTTP/2] [13", nil),
      ("Using Stream ID: (easy", nil), ("Using Stream ID: 99999999999", nil), ("Using Stream ID: ", nil),
      ("received GOAWAY, error=0", nil), ("received GOAWAY, error=0, last_stream=", nil), ("received GOAWAY, ", nil),
      ("received GOAWAY, error=0, last_stream=x", nil), ("", nil), ("Connected to localhost", nil),
    ]
    for (text, note) in notes {
      let bytes = Array(text.utf8)
      #expect(bytes.withUnsafeBytes { CurlHTTP2Note($0) } == note, "\(text)")
    }
  }
}
#endif
