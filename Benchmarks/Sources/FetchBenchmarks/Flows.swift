import BenchmarkSupport
import FetchKit
import FetchKitTesting
import Foundation

extension Benchmark {
  /// What is built on fetches: refreshes, searches, pages.
  static var flows: [Benchmark] { [refreshInTasks, refreshInOperations, search, scrolling, paging] }

  private static let items = 1000
  private static let concurrency = 4
  private static let refreshClient = FetchClient()

  private static var refreshInTasks: Benchmark {
    refresh("in tasks") { refresh, update in await refresh.run(0..<items, update: update) }
  }

  private static var refreshInOperations: Benchmark {
    refresh("in operations") { refresh, update in
      await refresh.enqueue(0..<items, update: update) { _ in }.report
    }
  }

  private typealias Update = @Sendable (Int) async throws -> Refresh.Change

  /// Every item is fetched by both; what is compared is who says when, and who counts.
  private static func refresh(
    _ style: String, _ run: @escaping (Refresh, @escaping Update) async -> RefreshReport<Int>
  ) -> Benchmark {
    let update: Update = { _ in
      let body = try await refreshClient.fetch(Server.url("/1k"), .data)
      return body.isEmpty ? .unchanged : .changed
    }
    return Benchmark(
      "refresh of 1 000 items \(style), 4 at a time", unit: "ms",
      ours: {
        try await asyncMilliseconds {
          let report = await run(Refresh { $0.maxConcurrentItems = concurrency }, update)
          guard report.changed == items else { throw WrongResult("\(report.changed) items") }
        }
      },
      peers: [
        Peer("the bare loop", must: 1 / 1.15, goal: 1 / 1.05) {
          try await asyncMilliseconds {
            try await withThrowingTaskGroup(of: Refresh.Change.self) { group in
              for item in 0..<items {
                if item >= concurrency { _ = try await group.next() }
                group.addTask { try await update(item) }
              }
              try await group.waitForAll()
            }
          }
        }
      ])
  }

  /// A key every 20 ms, a search when the typing has stopped for 100 ms.
  private static var search: Benchmark {
    Benchmark(
      "search as you type, 30 keystrokes", unit: "requests at the server", must: 2, goal: 1,
      ours: {
        let server = try LoopbackServer()
        server.on("/search") { .text($0.query("q") ?? "") }
        let (delivered, continuation) = AsyncStream.makeStream(of: String.self)
        let search = LatestFetch<String, String>(
          FetchClient(), .string, pace: .debounce(.milliseconds(100)),
          request: { server.url.appending(path: "search").appending(queryItems: [URLQueryItem(name: "q", value: $0)]) },
          deliver: { text, result in
            if case .success(text) = result { continuation.yield(text) } else { continuation.finish() }
          })
        let text = String(repeating: "fargo ", count: 5)
        for count in 1...text.count {
          search(String(text.prefix(count)))
          try await Task.sleep(for: .milliseconds(20))
        }
        var first: String?
        for await text in delivered where first == nil {
          first = text
          continuation.finish()
        }
        guard first == text else { throw WrongResult("delivered: \(first ?? "nothing")") }
        return Double(server.requests.count)
      })
  }

  /// Each page is answered after 50 ms, and used for as long: what somebody who scrolls does.
  private static var scrolling: Benchmark {
    paging("each page used for 50 ms", use: .milliseconds(50))
  }

  /// Each page is answered after 50 ms, and all are collected.
  private static var paging: Benchmark { paging("each page used at once", use: .zero) }

  private static func paging(_ title: String, use: Duration) -> Benchmark {
    Benchmark(
      "400 items by 40, \(title)", unit: "ms", ours: { try await paged(prefetch: 1, use) },
      peers: [Peer("without prefetch", must: 1 / 0.7, goal: 1 / 0.55) { try await paged(prefetch: 0, use) }])
  }

  private static func paged(prefetch: Int, _ use: Duration) async throws -> Double {
    let server = try LoopbackServer()
    server.on("/items") { request in
      let start = request.query("start").flatMap(Int.init) ?? 0
      let page = Array(start..<min(start + 40, 400))
      return .json("\(page)").delayed(by: .milliseconds(50))
    }
    let items = PagedSequence<Int>(
      FetchClient(), .json([Int].self), by: .offset(limit: 40), id: { $0 }, maxRequests: 11, prefetch: prefetch
    ) { page in
      server.url.appending(path: "items").appending(queryItems: [URLQueryItem(name: "start", value: "\(page.offset)")])
    }
    return try await asyncMilliseconds {
      var count = 0
      for try await page in items.pages {
        count += page.items.count
        if use > .zero { try await Task.sleep(for: use) }
      }
      guard count == 400 else { throw WrongResult("\(count) items") }
    }
  }
}
