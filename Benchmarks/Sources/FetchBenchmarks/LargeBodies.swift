import BenchmarkSupport
import FetchKit
import Foundation

extension Benchmark {
  /// Bodies that do not fit in memory, or should not.
  static var largeBodies: [Benchmark] {
    [
      Benchmark(
        "1 GB to a file", unit: "ms", ours: { try await download() },
        peers: [Peer("the curl program", must: 1 / 1.15, goal: 1 / 0.9) { try downloadWithCurl() }]),
      Benchmark("1 GB to a file, memory growth", unit: "MB", must: 4, goal: nil) {
        try await ThisProcess.memoryGrowth { _ = try await download() }
      },
      Benchmark(
        "500 MB at 10 MB/s, memory growth", unit: "MB", must: 4, goal: 2, once: true, ours: readSlowly),
    ]
  }

  private static func stream(_ path: String) async throws -> ResponseBody {
    let request = TransportRequest(
      .get, try Server.url(path), delivery: .stream, timeouts: Timeouts(total: nil),
      limits: ResponseLimits(body: .max))
    return try await OurTransport.shared.get().transport.send(request).body
  }

  private static func download() async throws -> Double {
    let target = FileManager.default.temporaryDirectory.appending(path: "larder-bench-\(UUID().uuidString)")
    defer { remove(target.path) }
    var bytes = 0
    let time = try await asyncMilliseconds {
      let file = open(target.path, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
      defer { close(file) }
      for try await chunk in try await stream("/1g") {
        bytes += chunk.withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
      }
    }
    guard bytes == Server.largest else { throw WrongResult("\(bytes) bytes") }
    return time
  }

  private static func downloadWithCurl() throws -> Double {
    let target = FileManager.default.temporaryDirectory.appending(path: "larder-bench-\(UUID().uuidString)")
    defer { remove(target.path) }
    let curl = Process()
    curl.executableURL = URL(filePath: "/usr/bin/env")
    curl.arguments = ["curl", "--silent", "--fail", "--output", target.path, try Server.url("/1g").absoluteString]
    let time = try milliseconds {
      try curl.run()
      curl.waitUntilExit()
    }
    let size = try FileManager.default.attributesOfItem(atPath: target.path)[.size] as? Int
    guard curl.terminationStatus == 0, size == Server.largest else { throw WrongResult("curl failed") }
    return time
  }

  private static func readSlowly() async throws -> Double {
    // Two seconds of the same first: what a process sets up once for it is no growth.
    try await read(atLeast: 20 << 20)
    let size = Server.sizes["/500m"] ?? 0
    return try await ThisProcess.memoryGrowth { try await read(atLeast: size) }
  }

  /// Reads so much of the 500 MB in pieces as they come, never faster than 10 MB a second.
  private static func read(atLeast count: Int) async throws {
    let start = ContinuousClock.now
    var bytes = 0
    for try await chunk in try await stream("/500m") {
      bytes += chunk.count
      guard bytes < count else { break }
      try await ContinuousClock().sleep(until: start + .seconds(Double(bytes) / 10e6))
    }
    guard bytes >= count else { throw WrongResult("\(bytes) bytes") }
  }
}
