import AllocationCount
import BenchmarkSupport
import FetchKit

extension Benchmark {
  /// Small bodies from a transport without a pipeline: time, CPU time and allocations per request.
  static var smallRequests: [Benchmark] {
    let cases = [1, 16, 64].flatMap { concurrency in ["/1k", "/40k"].map { (concurrency, $0) } }
    return cases.map(time) + cases.map(cpu) + [allocations]
  }

  private static func time(concurrency: Int, path: String) -> Benchmark {
    let alone = concurrency == 1
    let client: Target = alone ? (1.3, 1.8) : path == "/1k" ? (1.1, 2) : (0.85, 1.5)
    let session: Target = alone ? (3.2, 5) : (4.5, 8)
    let bare: Target = alone ? (0.48, 0.7) : (0.4, 0.7)
    return Benchmark(
      "GET \(name(path)), \(name(concurrency))", unit: "µs/request", path, concurrency, client, session, bare
    ) { try await $0.time(path, size: $1, count: $2, concurrency: concurrency) }
  }

  private static func cpu(concurrency: Int, path: String) -> Benchmark {
    let client: Target
    if concurrency == 1 {
      client = (1 / 0.7, 1 / 0.4)
    } else {
      client = path == "/1k" ? (1 / 0.66, 1 / 0.4) : (1 / 0.7, 1 / 0.5)
    }
    return Benchmark(
      "CPU of GET \(name(path)), \(name(concurrency))", unit: "µs/request", path, concurrency, client, (nil, nil),
      (nil, nil)
    ) { try await $0.cpu(path, size: $1, count: $2, concurrency: concurrency) }
  }

  private typealias Target = (must: Double?, goal: Double?)

  private init(
    _ work: String, unit: String, _ path: String, _ concurrency: Int, _ client: Target, _ session: Target,
    _ bare: Target, _ measure: @escaping (any TransportUnderTest, _ size: Int, _ count: Int) async throws -> Double
  ) {
    let size = Server.sizes[path] ?? 0
    // As many as take a few tenths of a second, URLSession fewer.
    let count = concurrency == 1 ? 3000 : 12_800
    let curl = BareCurlPeer()
    self.init(
      work, unit: unit, ours: { try await measure(OurTransport.shared.get(), size, count) },
      peers: [
        Peer("AsyncHTTPClient", must: client.must, goal: client.goal) {
          try await measure(AsyncHTTPClientPeer.shared, size, count)
        },
        Peer("URLSession", must: session.must, goal: session.goal) {
          try await measure(URLSessionPeer.shared, size, count / 10)
        },
        Peer("bare libcurl", must: bare.must, goal: bare.goal) { try await measure(curl, size, count) },
      ])
  }

  private static func name(_ path: String) -> String { path == "/1k" ? "1 KB" : "40 KB" }
  private static func name(_ concurrency: Int) -> String {
    concurrency == 1 ? "one at a time" : "\(concurrency) at a time"
  }

  private static var allocations: Benchmark {
    Benchmark("allocations per request, GET 1 KB", unit: "allocations", must: 75, goal: 55) {
      let ours = try OurTransport.shared.get()
      _ = try await ours.time("/1k", size: 1 << 10, count: 100, concurrency: 1)
      allocation_count_start()
      _ = try await ours.time("/1k", size: 1 << 10, count: 1000, concurrency: 1)
      let count = allocation_count_stop()
      guard count >= 0 else { throw WrongResult("allocations cannot be counted on this system") }
      return Double(count) / 1000
    }
  }
}
