import BenchmarkSupport
import FetchKit
import FetchKitTesting
import Foundation

extension Benchmark {
  /// What the client adds to its transport.
  static var pipeline: [Benchmark] {
    [
      Benchmark("client over StubTransport, nothing switched on", unit: "µs", must: 15, goal: 5) {
        let count = 20_000
        let client = FetchClient { $0.transport = StubTransport(body: Data(count: 1024)) }
        guard let url = URL(string: "http://stub.example/1k") else { throw WrongResult("no URL") }
        var bytes = 0
        let time = try await asyncMilliseconds {
          for _ in 0..<count { bytes += try await client.fetch(url, .data).count }
        }
        guard bytes == count << 10 else { throw WrongResult("\(bytes) bytes") }
        return time * 1000 / Double(count)
      },
      Benchmark(
        "GET 1 KB through the whole client, one at a time", unit: "µs",
        ours: { try await OurClient.shared.get().time("/1k", size: 1 << 10, count: 4000, concurrency: 1) },
        peers: [
          Peer("the bare CurlTransport", must: 1 / 1.25, goal: 1 / 1.1) {
            try await OurTransport.shared.get().time("/1k", size: 1 << 10, count: 4000, concurrency: 1)
          }
        ]),
    ]
  }
}
