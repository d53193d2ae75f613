import BenchmarkSupport
import FetchKit
import Foundation

/// The ways by which a response comes.
private enum Wire: String, CaseIterable {
  case plain = "HTTP/1.1"
  case secure = "HTTPS/1.1"
  case http2 = "HTTP/2"

  /// nginx takes so many requests at a time on one connection.
  private static let streams = 128

  func url() throws -> URL {
    if self == .plain { return try Server.url("/1k") }
    return try secureServer().root.appending(path: "1k")
  }

  private func secureServer() throws -> (root: URL, authority: URL) {
    guard let secure = try Server.shared.get().secure else { throw WrongResult("nginx and openssl are needed") }
    return secure
  }

  func transport() throws -> CurlTransport {
    let authority = self == .plain ? nil : try secureServer().authority
    return try CurlTransport {
      $0.proxy = .none
      $0.allowsHTTP2 = self == .http2
      if let authority { $0.certificateAuthorities = .only(.file(authority)) }
    }
  }

  func bareCurl() throws -> BareCurlPeer {
    BareCurlPeer(trusting: self == .plain ? nil : try secureServer().authority, allowsHTTP2: self == .http2)
  }

  /// How many connections so many requests at a time may open.
  func mostConnections(_ concurrency: Int) -> Int {
    self == .http2 ? (concurrency + Wire.streams - 1) / Wire.streams + 1 : concurrency
  }
}

/// Both sides of a wire, made at first use and kept.
private final class Sides {
  private let wire: Wire
  private var ours: OurTransport?
  private var bare: BareCurlPeer?

  init(_ wire: Wire) { self.wire = wire }

  func transport() throws -> OurTransport {
    let transport = try ours ?? OurTransport(transport: wire.transport())
    ours = transport
    return transport
  }

  func bareCurl() throws -> BareCurlPeer {
    let peer = try bare ?? wire.bareCurl()
    bare = peer
    return peer
  }
}

extension Benchmark {
  /// Bodies of 1 KB over each protocol, beside libcurl in one thread of C with the same settings: time, CPU time, and
  /// how many connections were opened.
  static var protocols: [Benchmark] {
    Wire.allCases.flatMap { wire in
      let sides = Sides(wire)
      return [1, 32, 128, 256].flatMap { concurrency in
        [time(wire, sides, concurrency), cpu(wire, sides, concurrency), connections(wire, concurrency)]
      }
    }
  }

  private static let size = 1 << 10

  private static func name(_ wire: Wire, _ concurrency: Int) -> String {
    "GET 1 KB over \(wire.rawValue), \(concurrency) at a time"
  }

  /// A multiple of every concurrency.
  private static func count(_ concurrency: Int) -> Int { concurrency == 1 ? 2000 : 6400 }

  private static func time(_ wire: Wire, _ sides: Sides, _ concurrency: Int) -> Benchmark {
    let count = count(concurrency)
    return Benchmark(
      name(wire, concurrency), unit: "µs/request",
      ours: {
        try await sides.transport().time(of: wire.url(), size: size, count: count, concurrency: concurrency)
      },
      peers: [
        Peer("bare libcurl", must: 0.45, goal: 0.75) {
          try await sides.bareCurl().time(of: wire.url(), size: size, count: count, concurrency: concurrency)
        }
      ])
  }

  private static func cpu(_ wire: Wire, _ sides: Sides, _ concurrency: Int) -> Benchmark {
    let count = count(concurrency)
    return Benchmark(
      "CPU of \(name(wire, concurrency))", unit: "µs/request",
      ours: {
        try await sides.transport().cpu(of: wire.url(), size: size, count: count, concurrency: concurrency)
      },
      peers: [
        Peer("bare libcurl", must: 0.33, goal: 0.55) {
          try await sides.bareCurl().cpu(of: wire.url(), size: size, count: count, concurrency: concurrency)
        }
      ])
  }

  private static func connections(_ wire: Wire, _ concurrency: Int) -> Benchmark {
    let most = Double(wire.mostConnections(concurrency))
    return Benchmark("connections of \(name(wire, concurrency))", unit: "opened", must: most, goal: most) {
      let transport = OurTransport(transport: try wire.transport())
      let before = try await acceptedConnections()
      _ = try await transport.time(of: wire.url(), size: size, count: count(concurrency), concurrency: concurrency)
      return Double(try await acceptedConnections() - before)
    }
  }

  /// How many connections the server has accepted so far, as it says itself; the one that this is asked on is kept.
  private static func acceptedConnections() async throws -> Int {
    let request = TransportRequest(.get, try Server.url("/status"))
    let body = try await OurTransport.shared.get().transport.send(request).body.data ?? Data()
    // Active connections: 1 / server accepts handled requests / 16 16 31
    let lines = String(decoding: body, as: UTF8.self).split(separator: "\n")
    guard lines.count > 2, let accepted = lines[2].split(separator: " ").first.flatMap({ Int($0) }) else {
      throw WrongResult("the server does not count its connections")
    }
    return accepted
  }
}
