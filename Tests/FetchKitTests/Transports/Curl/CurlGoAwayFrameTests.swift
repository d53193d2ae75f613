#if os(Linux)
import Foundation
import Glibc
import Testing

@testable import FetchKit

/// What a GOAWAY says about the streams of its connection, and how the transport reacts.
@Suite(
  .timeLimit(.minutes(3)),
  .enabled(if: NginxServer.hasStreams, "nginx with its module for streams, or openssl, is not installed"),
  .enabled(if: (try? CurlLibrary.load().reportsLastStream) == true, "libcurl before 7.88 does not report the GOAWAY")
)
struct CurlGoAwayFrameTests {
  let transport: CurlTransport

  init() throws { transport = try HTTP2Peer.transport() }

  private func post(_ text: String, to peer: HTTP2Peer) async throws -> Outcome {
    await transport.outcome(of: TransportRequest(.post, try peer.url(), body: .data(Data(text.utf8))))
  }

  /// How a server ends its first connection after the POST on stream 3.
  enum End: CaseIterable {
    case answers
    /// After all it has sent.
    case closes
    /// Once the client has read the GOAWAY.
    case isCutOff
  }

  @Test(arguments: [[1], [3], [5], [.max >> 1, 1], [.max >> 1, 3], [5, 1]] as [[UInt32]], End.allCases)
  func `a POST is sent again only if GOAWAY's last stream is lower than its own`(
    lastStreams: [UInt32], end: End
  ) async throws {
    let peer = try HTTP2Peer { request in
      guard request.connection.number == 1, !request.body.isEmpty else { return request.respond("first") }
      for stream in lastStreams { request.connection.goAway(last: stream) }
      switch end {
      case .answers: if lastStreams.last != 1 { request.respond("taken") }
      case .closes: request.connection.close()
      case .isCutOff: request.connection.ping()
      }
    }
    #expect(try await transport.outcome(of: peer.url()) == .response(200, "first"))
    async let outcome = post("order", to: peer)
    let isProcessed = lastStreams.last != 1
    // For an unprocessed stream the client has already dropped the connection.
    if end == .isCutOff, isProcessed {
      try await peer.pong()
      peer.cut()
    }
    let found = try await outcome
    switch (isProcessed, end) {
    case (true, .answers): #expect(found == .response(200, "taken"))
    case (true, _): #expect(found == .failed("lost"))
    case (false, _): #expect(found == .response(200, "first"))
    }
    #expect(peer.bodies == (isProcessed ? ["", "order"] : ["", "order", "order"]))
  }

  @Test(arguments: HTTP2Error.allCases.filter { $0 != .http11Required }, [true, false])
  func `a server that ends every connection unprocessed is asked at most once more`(
    error: HTTP2Error, isPost: Bool
  ) async throws {
    let peer = try HTTP2Peer { $0.connection.goAway(last: 0, error) }
    let outcome = isPost ? try await post("order", to: peer) : try await transport.outcome(of: peer.url())
    #expect(outcome == .failed("unprocessed"))
    #expect(peer.bodies.count == ([.none, .refusedStream].contains(error) ? 2 : 1))
  }

  private final class Delays: EventMonitor {
    let all = Lock<[Duration]>([])

    func receive(_ event: FetchEvent) {
      if case .retrying(_, let delay) = event.kind { all.withLock { $0.append(delay) } }
    }
  }

  @Test func `the policy repeats what a server has not processed, with its delays, even a POST`() async throws {
    let peer = try HTTP2Peer {
      $0.connection.number < 3 ? $0.connection.goAway(last: 0, .enhanceYourCalm) : $0.respond("taken")
    }
    let delays = Delays()
    let transport = transport
    let client = FetchClient {
      $0.transport = transport
      $0.retry = .standard
      $0.random = { 0.5 }
      $0.monitors = [delays]
    }
    let request = HTTPRequest(.post, try peer.url(), body: .data(Data("order".utf8)))
    #expect(try await client.fetch(request, .string) == "taken")
    #expect(delays.all.withLock(\.self) == [.milliseconds(250), .milliseconds(500)])
    #expect(peer.bodies == ["order", "order", "order"])
  }

  @Test func `of several POSTs those after GOAWAY's last stream are sent again`() async throws {
    let peer = try HTTP2Peer { request in
      if request.connection.number > 1 || request.body.isEmpty { request.respond("") }
    }
    #expect(try await transport.outcome(of: peer.url()) == .response(200, ""))
    async let first = post("1", to: peer)
    let taken = try await peer.request(2)
    async let second = post("2", to: peer)
    async let third = post("3", to: peer)
    _ = try await peer.request(4)
    taken.connection.goAway(last: taken.stream)
    taken.respond("taken")
    #expect(try await [first, second, third] == [.response(200, "taken"), .response(200, ""), .response(200, "")])
    #expect(peer.bodies.sorted() == ["", "1", "2", "2", "3", "3"])
  }

  // libcurl checks idle connections at most once a second, on behalf of whichever transfer needs a connection then:
  // another one to the same server, or the POST itself when its own connection has died.
  @Test(arguments: [true, false])
  func `one server's GOAWAY does not apply to another server's streams`(isReadByOther: Bool) async throws {
    let other = try HTTP2Peer()
    let peer = try HTTP2Peer { if $0.body.isEmpty { $0.respond("") } }
    for peer in [peer, other] { #expect(try await transport.outcome(of: peer.url()) == .response(200, "")) }
    async let outcome = post("order", to: peer)
    #expect(try await peer.request(2).stream == 3)
    try await other.request(1).connection.goAway(last: 1)
    if isReadByOther {
      while !other.hasClosedAll { #expect(try await transport.outcome(of: peer.url()) == .response(200, "")) }
    } else {
      usleep(1_200_000)  // libcurl checks idle connections at most once a second
    }
    peer.cut()
    #expect(try await outcome == .failed("lost"))
    #expect(peer.bodies.filter { !$0.isEmpty } == ["order"])
    try await other.end(of: 1)  // it was read, or this test shows nothing
  }

  @Test func `a POST survives a connection that ends before any response`() async throws {
    let peer = try HTTP2Peer { request in
      if request.connection.number == 1 { request.connection.goAway(last: 0) } else { request.respond("taken") }
    }
    #expect(try await post("order", to: peer) == .response(200, "taken"))
    #expect(peer.bodies == ["order", "order"])
  }

  // Only one connection ends: a POST that is the first on two of them is not sent a third time.
  @Test func `POSTs that wait for a connection survive its end`() async throws {
    let peer = try HTTP2Peer { request in
      if request.connection.number == 1 { request.connection.goAway(last: 0) } else { request.respond("taken") }
    }
    let outcomes = await withTaskGroup(of: Outcome?.self) { group in
      for number in 0..<20 { group.addTask { try? await post("\(number)", to: peer) } }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(outcomes == Array(repeating: .response(200, "taken"), count: 20))
  }

  @Test func `a connection that ends in the TLS handshake fails the requests that wait for it`() async throws {
    let connections = Lock(0)
    let peer = try RawPeer { _ in connections.withLock { $0 += 1 } }
    let url = try #require(URL(string: "https://localhost:\(peer.port)/"))
    let outcomes = await withTaskGroup(of: Outcome.self) { group in
      for _ in 0..<10 {
        group.addTask { await transport.outcome(of: TransportRequest(.post, url, body: .data(Data("x".utf8)))) }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    print("POSTs to a server that ends each handshake: \(outcomes), \(connections.withLock { $0 }) connections")
    #expect(outcomes == Array(repeating: .failed("tls"), count: 10))
  }
}
#endif
