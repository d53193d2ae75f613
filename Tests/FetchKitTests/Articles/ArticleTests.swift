import FetchKit
import FetchKitTesting
import Foundation
import LarderTestSupport
import Testing

/// The articles' programs do what the articles say, and the articles show them verbatim.
@Suite(.timeLimit(.minutes(10))) struct ArticleTests {
  @Test(arguments: ["SearchAsYouType", "EndlessScrolling", "RefreshOnLaunch", "OperationQueues"])
  func `every line of the article is compiled in the program of the same name`(name: String) throws {
    let tests = URL(filePath: #filePath).deletingLastPathComponent()
    let root = tests.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let article = root.appending(path: "Sources/FetchKit/FetchKit.docc/\(name).md")
    let shown = try lines(of: article).split(separator: "```swift").dropFirst().flatMap { $0.prefix { $0 != "```" } }
      .filter { !$0.hasPrefix("import ") && $0 != "@main" }
    // Without its first lines and the brace of the enum around it.
    let compiled = try lines(of: tests.appending(path: "\(name).swift")).drop { !$0.hasPrefix("enum \(name)") }
    #expect(shown.count > 20)
    #expect(shown == Array(compiled.dropFirst().dropLast()))
  }

  /// Without indentation and empty lines.
  private func lines(of file: URL) throws -> [Substring] {
    try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
      .map { $0.drop { $0 == " " } }.filter { !$0.isEmpty }
  }

  @Test @MainActor func `the search-as-you-type article's program runs as described`() async throws {
    let clock = ManualClock()
    let stub = StubTransport { request in
      .stub(json: request.url.query() == "query=fargo" ? #"{"results": [{"id": 275, "title": "Fargo"}]}"# : "{}")
    }
    let screen = SearchAsYouType.SearchScreen(FetchClient { $0.transport = stub }, clock: clock)
    for length in 1...5 {
      screen.textDidChange(to: String("fargo".prefix(length)))
      #expect(await eventually { clock.sleeps.count >= length })
      clock.advance(by: .milliseconds(120))
    }
    clock.advance(by: .milliseconds(300))
    #expect(await eventually { !screen.message.isEmpty })
    #expect(screen.message == "1 found for “fargo”.")
    #expect(stub.requests.count == 1)
    screen.textDidChange(to: "")
    #expect(screen.movies.isEmpty)
  }

  @Test @MainActor func `the endless-scrolling article's program runs as described`() async throws {
    let failures = Lock(1)
    let stub = StubTransport { request in
      let text = request.url.query() ?? ""
      let offset = Int(text.split(separator: "startIndex=").last?.prefix { $0.isNumber } ?? "") ?? 0
      if offset == 80,
        failures.withLock({ left in
          left -= 1
          return left >= 0
        })
      {
        return .stub(status: 503)
      }
      let ids = (offset..<max(offset, min(100, offset + 40))).map { #"{"id": "\#($0)"}"# }
      return .stub(json: #"{"totalItems": 1000000, "items": [\#(ids.joined(separator: ", "))]}"#)
    }
    let client = FetchClient { $0.transport = stub }
    let list = EndlessScrolling.BookList(client, title: "swift")
    list.loadMore()
    await list.loading?.value
    #expect(list.books.count == 40)
    for row in 0..<80 {
      list.rowWillAppear(row)
      await list.loading?.value
    }
    #expect(list.books.count == 80)
    guard case .failed = list.footer else {
      Issue.record("\(list.footer)")
      return
    }
    list.loadMore()
    await list.loading?.value
    #expect(list.books.map(\.id) == (0..<100).map(String.init))
    guard case .end(.shortPage) = list.footer else {
      Issue.record("\(list.footer)")
      return
    }
  }

  @Test func `the refresh-on-launch article's program runs as described`() async throws {
    let server = try LoopbackServer()
    server.on("/movie/{id}") { request in
      if request.headers["If-None-Match"] == "\"1\"" { return .status(304) }
      var response = LoopbackResponse.json(#"{"vote_average": 7.9, "popularity": 21.5}"#)
      response.headers["ETag"] = "\"1\""
      return response
    }
    let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).json")
    defer { try? FileManager.default.removeItem(at: file) }
    for expected in [RefreshResult.newData, .noData] {
      let ratings = try RefreshOnLaunch.Ratings(file)
      let launch = RefreshOnLaunch.Launch(
        client: FetchClient(), server: server.url, ratings: ratings, movies: [275, 550, 680])
      #expect(await launch.refresh().result == expected)
      #expect(await ratings[550]?.average == 7.9)
    }
  }

  @Test func `the operation-queue article's program runs as described`() async throws {
    let server = try LoopbackServer()
    server.on("/newest", .json(#"{"id": 7}"#))
    server.on("/album/7", .json(#"{"titles": ["Sea", "Sky"]}"#))
    server.on("/cover/7", .text("12345"), .status(404))
    let gallery = OperationQueues.Gallery(client: FetchClient(), server: server.url)
    for expected in [#"["Sea", "Sky"], 5 bytes"#, #"["Sea", "Sky"], without a cover"#] {
      let text = await withCheckedContinuation { continuation in
        gallery.load { continuation.resume(returning: $0) }
      }
      #expect(text == expected)
    }
    // What depends on a failure sends no request.
    let failing = try LoopbackServer()
    failing.on("*", .status(503))
    let broken = OperationQueues.Gallery(client: FetchClient(), server: failing.url)
    _ = await withCheckedContinuation { continuation in
      broken.load { continuation.resume(returning: $0) }
    }
    #expect(failing.requests.map(\.path) == ["/newest"])
    let order = Lock([Int]())
    let first = gallery.tidy { order.withLock { $0.append(1) } }
    let second = gallery.tidy { order.withLock { $0.append(2) } }
    _ = try await (first.value, second.value)
    #expect(order.withLock { $0 } == [1, 2])
  }
}
