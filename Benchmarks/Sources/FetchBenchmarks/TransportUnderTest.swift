import AsyncHTTPClient
import BareCurl
import BenchmarkSupport
import FetchKit
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// One that gets a URL many times, a number of requests at a time, and keeps its connections from one time to the next.
protocol TransportUnderTest: Sendable {
  /// Gets it `count` times, `concurrency` at a time, and returns how many bytes came.
  func get(_ url: URL, count: Int, concurrency: Int) async throws -> Int
}

extension TransportUnderTest {
  /// Microseconds of time per request.
  func time(_ path: String, size: Int, count: Int, concurrency: Int) async throws -> Double {
    try await time(of: Server.url(path), size: size, count: count, concurrency: concurrency)
  }

  /// Microseconds of this process's CPU time per request.
  func cpu(_ path: String, size: Int, count: Int, concurrency: Int) async throws -> Double {
    try await cpu(of: Server.url(path), size: size, count: count, concurrency: concurrency)
  }

  func time(of url: URL, size: Int, count: Int, concurrency: Int) async throws -> Double {
    var bytes = 0
    let time = try await asyncMilliseconds { bytes = try await get(url, count: count, concurrency: concurrency) }
    try expect(bytes, size * count)
    return time * 1000 / Double(count)
  }

  func cpu(of url: URL, size: Int, count: Int, concurrency: Int) async throws -> Double {
    let before = ThisProcess.cpuMicroseconds
    let bytes = try await get(url, count: count, concurrency: concurrency)
    let time = ThisProcess.cpuMicroseconds - before
    try expect(bytes, size * count)
    return time / Double(count)
  }

  private func expect(_ bytes: Int, _ expected: Int) throws {
    guard bytes == expected else { throw WrongResult("\(bytes) bytes instead of \(expected)") }
  }
}

/// Runs `get` that many times, `concurrency` at a time; each returns how many bytes came.
func repeated(
  _ count: Int, concurrency: Int, _ get: @escaping @Sendable () async throws -> Int
) async throws -> Int {
  if concurrency == 1 {
    var bytes = 0
    for _ in 0..<count { bytes += try await get() }
    return bytes
  }
  return try await withThrowingTaskGroup(of: Int.self) { group in
    for lane in 0..<concurrency {
      let share = count / concurrency + (lane < count % concurrency ? 1 : 0)
      group.addTask {
        var bytes = 0
        for _ in 0..<share { bytes += try await get() }
        return bytes
      }
    }
    return try await group.reduce(0, +)
  }
}

struct OurTransport: TransportUnderTest {
  static let shared = Result { OurTransport(transport: try CurlTransport()) }

  let transport: CurlTransport

  func get(_ url: URL, count: Int, concurrency: Int) async throws -> Int {
    let request = TransportRequest(.get, url)
    return try await repeated(count, concurrency: concurrency) {
      try await transport.send(request).body.data?.count ?? -1
    }
  }
}

struct OurClient: TransportUnderTest {
  static let shared = Result {
    let transport = try OurTransport.shared.get().transport
    return OurClient(client: FetchClient { $0.transport = transport })
  }

  let client: FetchClient

  func get(_ url: URL, count: Int, concurrency: Int) async throws -> Int {
    try await repeated(count, concurrency: concurrency) { try await client.fetch(url, .data).count }
  }
}

struct AsyncHTTPClientPeer: TransportUnderTest {
  static let shared = AsyncHTTPClientPeer()

  private let client = HTTPClient(eventLoopGroupProvider: .singleton)

  func get(_ url: URL, count: Int, concurrency: Int) async throws -> Int {
    let request = HTTPClientRequest(url: url.absoluteString)
    return try await repeated(count, concurrency: concurrency) {
      let response = try await client.execute(request, timeout: .seconds(60))
      return try await response.body.collect(upTo: 64 << 20).readableBytes
    }
  }
}

struct URLSessionPeer: TransportUnderTest {
  static let shared = URLSessionPeer()

  private let session = {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.httpMaximumConnectionsPerHost = 64
    return URLSession(configuration: configuration)
  }()

  func get(_ url: URL, count: Int, concurrency: Int) async throws -> Int {
    try await repeated(count, concurrency: concurrency) { try await session.data(from: url).0.count }
  }
}

/// Bare libcurl in C: its easy interface for one at a time, its multi interface for more.
///
/// `@unchecked Sendable`: used by one benchmark after another, never by two at a time.
final class BareCurlPeer: TransportUnderTest, @unchecked Sendable {
  private var loop: OpaquePointer?
  private var key = ""
  private let authority: URL?
  private let allowsHTTP2: Bool

  init(trusting authority: URL? = nil, allowsHTTP2: Bool = false) {
    self.authority = authority
    self.allowsHTTP2 = allowsHTTP2
  }

  func get(_ url: URL, count: Int, concurrency: Int) async throws -> Int {
    let wanted = "\(concurrency) \(url)"
    if key != wanted {
      if let loop { bare_curl_free(loop) }
      loop = bare_curl_new(url.absoluteString, Int32(concurrency), authority?.path, allowsHTTP2 ? 1 : 0)
      key = wanted
    }
    guard let loop else { throw WrongResult("no memory") }
    return Int(bare_curl_run(loop, Int32(count)))
  }

  deinit {
    if let loop { bare_curl_free(loop) }
  }
}
