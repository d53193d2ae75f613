import BenchmarkSupport
import FetchKit
import FetchKitTesting
import Foundation

extension Benchmark {
  /// What the cache saves, and what it costs; over a stub, so that nothing else is measured.
  static var cache: [Benchmark] {
    [
      Benchmark("fresh hit from memory, 1 KB", unit: "µs", must: 20, goal: 5) {
        try await hits(HTTPCache(), expecting: .fresh, count: 20_000)
      },
      Benchmark("fresh hit from disk, 1 KB", unit: "µs", must: 150, goal: 60) {
        try await inFolder { folder in
          try await hits(HTTPCache(directory: folder) { $0.memoryBytes = 0 }, expecting: .fresh, count: 4000)
        }
      },
      Benchmark("cost of the cache on a miss that is kept, 1 KB", unit: "µs", must: 20, goal: 8) {
        try await misses(HTTPCache()) - misses(nil)
      },
      Benchmark("cost of a cache that is to be gone past, 1 KB", unit: "µs", must: nil, goal: nil) {
        try await misses(HTTPCache(), mode: .bypass) - misses(nil)
      },
      Benchmark("cost of the cache on a miss, with a directory", unit: "µs", must: nil, goal: nil) {
        try await inFolder { folder in try await misses(HTTPCache(directory: folder)) - misses(nil) }
      },
      Benchmark("cost of sharing where nobody shares", unit: "µs", must: nil, goal: nil) {
        try await misses(nil, shares: true) - misses(nil)
      },
    ]
  }

  private static let fields: HTTPHeaders = [
    "Date": "Sun, 06 Nov 1994 08:49:37 GMT", "Content-Type": "application/json; charset=utf-8",
    "Content-Length": "1024", "Cache-Control": "public, max-age=2147483647",
    "ETag": "\"33a64df551425fcc55e4d42a148795d9\"",
    "Server": "nginx", "X-Request-ID": "9f1c2d3e", "Connection": "keep-alive",
  ]

  private static func client(_ cache: HTTPCache?, shares: Bool = false) -> FetchClient {
    FetchClient {
      $0.transport = StubTransport(headers: fields, body: Data(count: 1024))
      $0.cache = cache
      $0.coalescesRequests = shares
    }
  }

  private static func url(_ number: Int) throws -> URL {
    guard let url = URL(string: "http://stub.example/movie/\(number)?language=en&page=1") else {
      throw WrongResult("no URL")
    }
    return url
  }

  /// Microseconds for each of so many fetches of what is there.
  private static func hits(
    _ cache: HTTPCache, expecting source: FetchResponse.Source, count: Int
  ) async throws -> Double {
    let client = client(cache)
    let url = try url(1)
    _ = try await client.fetch(url, .response)
    await cache.waitUntilIdle()
    var met = 0
    let time = try await asyncMilliseconds {
      for _ in 0..<count { met += try await client.fetch(url, .response).source == source ? 1 : 0 }
    }
    guard met == count else { throw WrongResult("\(met) of \(count) from the cache") }
    return time * 1000 / Double(count)
  }

  /// Microseconds for each of many fetches of what nobody has fetched before.
  private static func misses(
    _ cache: HTTPCache?, shares: Bool = false, mode: CacheMode = .standard
  ) async throws -> Double {
    let count = 4000
    let client = client(cache, shares: shares)
    let requests = try (0..<count).map { number in
      var request = HTTPRequest(.get, try url(number))
      request.options.cache = mode
      return request
    }
    let time = try await asyncMilliseconds {
      for request in requests { _ = try await client.fetch(request, .data) }
    }
    await cache?.waitUntilIdle()
    return time * 1000 / Double(count)
  }

  private static func inFolder(_ body: (URL) async throws -> Double) async throws -> Double {
    let folder = FileManager.default.temporaryDirectory.appending(path: "larder-bench-cache-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    return try await body(folder)
  }
}
