import FetchKitTesting
import Foundation
import LarderTestSupport
import Testing

@testable import FetchKit

/// Sentences about requests on the pages, and the requests that a server has to receive if they are true.
///
/// | page | sentences about | covered by |
/// |---|---|---|
/// | Tutorial | the rest of a file after a kill | `Scripts/tutorial`, which asks the tutorial's server |
/// | Downloads | kills | `KilledDownloadTests` |
/// | Downloads | power failures, suspensions | `PowerCutTests`, `DownloadSuspensionTests` |
/// | Downloads | a signed URL that has expired | `DownloadListeningTests` |
/// | Uploading | lengths, chunks, the last bytes of a stream | `TransportUploadTests`, `RequestBodyTests` |
/// | SearchAsYouType, EndlessScrolling, OperationQueues | each article's program | `ArticleTests` |
/// | EndlessScrolling, the cookbook | numbers of pages and requests, links | `PagedSequenceTests` |
/// | RefreshOnLaunch | budgets and intervals | `RefreshBudgetTests`, `PeriodicRefreshTests` |
/// | Linux | what libcurl sends again | `CurlGoAwayTests`, `CurlStreamResetTests`, `CurlPitfallTests` |
/// | Caching | every rule of the RFC | `CacheDecisionTests`, `CacheSuiteTests` |
/// | all others, and the main sentences of these | | ``all`` |
struct RequestClaim: Sendable, CustomTestStringConvertible {
  /// The pages and what they say, without the line breaks.
  let places: [(page: String, text: String)]
  /// Makes the requests.
  let run: @Sendable (RequestLog) async throws -> Void
  /// What the server has to have received.
  let lines: [String]

  init(
    _ places: (page: String, text: String)..., receives lines: String...,
    by run: @escaping @Sendable (RequestLog) async throws -> Void
  ) {
    (self.places, self.lines, self.run) = (places, lines, run)
  }

  var testDescription: String { "\(places[0].page): \(places[0].text)" }

  static let all = caching + sharing + retries + credentials + bodies + conditions + events + downloads
}

private func get(_ log: RequestLog, _ cache: CacheMode = .standard, _ headers: HTTPHeaders = [:]) -> HTTPRequest {
  var request = HTTPRequest(.get, log.url, headers: headers)
  request.options.cache = cache
  return request
}

/// A client that never waits between attempts.
private func client(_ configure: (inout FetchClient.Configuration) -> Void = { _ in }) -> FetchClient {
  FetchClient {
    $0.random = { 0 }
    configure(&$0)
  }
}

extension RequestClaim {
  /// Fetches twice with a cache, the second time in that mode, and checks where the second response came from.
  private static func twice(
    _ log: RequestLog, _ mode: CacheMode = .standard, _ headers: HTTPHeaders = ["Cache-Control": "max-age=60"],
    at date: Date? = nil,
    gives source: FetchResponse.Source
  ) async throws {
    log.serve(headers)
    let now = Lock(Date())
    let client = client {
      $0.cache = HTTPCache()
      $0.date = { now.withLock { $0 } }
    }
    try await client.fetch(get(log), .void)
    if let date { now.withLock { $0 = date } }
    let response = try await client.fetch(get(log, mode), .response)
    #expect(response.source == source)
  }

  private static let later = Date() + 100_000

  private static let caching: [RequestClaim] = [
    RequestClaim(
      ("CachingResponses", "the server was not contacted"), ("FetchKit", "the cache can respond without the network"),
      ("Docs/Caching", "| fresh | the stored response is returned, with `Age` added | `fresh` |"), receives: "GET /x"
    ) { try await twice($0, gives: .fresh) },
    RequestClaim(
      ("CachingResponses", "asks the server whether the stored response is still valid"),
      receives: "GET /x", "GET /x If-None-Match=\"a\""
    ) { try await twice($0, .revalidate, gives: .revalidated) },
    RequestClaim(
      ("Docs/Caching", "a 304 response updates its header fields"), receives: "GET /x", "GET /x If-None-Match=\"a\""
    ) { try await twice($0, .standard, at: later, gives: .revalidated) },
    RequestClaim(
      ("CachingResponses", "requests the resource again and stores the response"), receives: "GET /x", "GET /x"
    ) { try await twice($0, .reload, gives: .network) },
    RequestClaim(("CachingResponses", "uses a stored response even if it is stale"), receives: "GET /x") {
      try await twice($0, .preferStored, at: later, gives: .stale)
    },
    RequestClaim(("CachingResponses", "does not use the cache"), receives: "GET /x", "GET /x") {
      try await twice($0, .bypass, gives: .network)
    },
    RequestClaim(
      ("CachingResponses", "never contacts the server; if no usable response is stored"),
      ("Docs/Caching", "otherwise the status is 504, without a retry")
    ) { log in
      let client = client {
        $0.cache = HTTPCache()
        $0.retry = .standard
      }
      await #expect(throws: FetchError.self) { try await client.fetch(get(log, .onlyStored), .void) }
    },
    RequestClaim(
      ("Docs/Caching", "the stored response is returned, and one request validates it in the background"),
      receives: "GET /x", "GET /x If-None-Match=\"a\""
    ) { log in
      let headers: HTTPHeaders = ["Cache-Control": "max-age=60, stale-while-revalidate=1000000"]
      try await twice(log, .standard, headers, at: later, gives: .stale)
      await log.server.requests(atLeast: 2)
    },
    RequestClaim(
      ("Docs/Caching", "is sent to the server, and the caller receives the server's 304"),
      receives: "GET /x", "GET /x If-None-Match=\"a\""
    ) { log in
      log.serve(["Cache-Control": "max-age=60"])
      let client = client {
        $0.cache = HTTPCache()
        $0.acceptableStatusCodes = 200..<400
      }
      try await client.fetch(get(log), .void)
      let response = try await client.fetch(get(log, .standard, ["If-None-Match": "\"a\""]), .response)
      #expect(response.status == 304)
    },
    RequestClaim(
      ("Docs/Caching", "**HEAD** requests can be answered from a stored response to GET"),
      ("Docs/Caching", "**Range requests** can be answered from a complete, fresh response"),
      ("Docs/Caching", "**Streams** bypass the cache"), receives: "GET /x", "GET /x identity"
    ) { log in
      log.serve(["Cache-Control": "max-age=60"])
      let client = client { $0.cache = HTTPCache() }
      try await client.fetch(get(log), .void)
      #expect(try await client.fetch(HTTPRequest(.head, log.url), .response).source == .fresh)
      #expect(try await client.fetch(get(log, .standard, ["Range": "bytes=0-1"]), .string) == "he")
      for try await _ in try await client.stream(get(log)) {}
    },
    RequestClaim(
      ("Docs/Caching", "such as a fresh 404 or 410, are reported as errors again, without a retry"), receives: "GET /x"
    ) { log in
      log.server.on("/x", .status(404, headers: ["Cache-Control": "max-age=60"]))
      let client = client {
        $0.cache = HTTPCache()
        $0.retry = .standard
        $0.retry.statuses = [404]
        $0.retry.maxAttempts = 1
      }
      await #expect(throws: FetchError.self) { try await client.fetch(get(log), .void) }
      var again = get(log)
      again.options.retry = .standard
      again.options.retry?.statuses = [404]
      await #expect(throws: FetchError.self) { try await client.fetch(again, .void) }
    },
  ]

  private static let sharing: [RequestClaim] = [
    RequestClaim(
      ("CachingResponses", "that are in progress at the same time are sent only once"),
      ("Docs/Caching", "a client sends one request for all identical fetches that are in progress at the same time"),
      ("Docs/Caching", "A fetch that starts after the request has ended sends a new request"),
      receives: "GET /x", "GET /x"
    ) { log in
      let gate = LoopbackGate()
      log.server.on("/x", .text("x").held(at: gate))
      let client = client { $0.coalescesRequests = true }
      let request = get(log)
      let all = Task {
        try await withThrowingTaskGroup { group in
          for _ in 0..<10 { group.addTask { try await client.fetch(request, .void) } }
          try await group.waitForAll()
        }
      }
      #expect(await eventually { client.pipeline.coalescer?.memberCount == 10 })
      gate.open()
      try await all.value
      try await client.fetch(request, .void)
    },
    RequestClaim(
      ("Docs/Caching", "Only requests with a safe method and no body are shared, and streams are never shared"),
      receives: "POST /x 1 bytes", "POST /x 1 bytes", "GET /x identity", "GET /x identity"
    ) { log in
      let gate = LoopbackGate()
      log.server.on("/x", .text("x").held(at: gate))
      let client = client { $0.coalescesRequests = true }
      let post = HTTPRequest(.post, log.url, body: .data(Data("x".utf8)))
      try await withThrowingTaskGroup { group in
        for _ in 0..<2 {
          group.addTask { try await client.fetch(post, .void) }
          group.addTask { for try await _ in try await client.stream(get(log)) {} }
        }
        await log.server.requests(atLeast: 4)
        gate.open()
        try await group.waitForAll()
      }
    },
  ]

  private static let retries: [RequestClaim] = [
    RequestClaim(
      ("RetryingAndAuthenticating", "A client makes one attempt for each request unless you configure"),
      ("Docs/FAQ", "By default, requests are not retried"),
      ("GettingStartedWithFetchKit", "requests are not retried"),
      ("WhenSomethingGoesWrong", "By default, requests are not retried."),
      ("Docs/Tutorial", "Without a retry policy, the client sends each request only once."), receives: "GET /x"
    ) { log in
      log.server.on("/x", .status(503), .text("x"))
      await #expect(throws: FetchError.self) { try await client().fetch(get(log), .void) }
    },
    RequestClaim(
      ("RetryingAndAuthenticating", "an idempotent request is retried up to twice"),
      ("GettingStartedWithFetchKit", "the client retries idempotent requests"),
      ("Docs/Tutorial", "the client sends the request again if the connection is lost or the server is busy"),
      receives: "GET /x", "GET /x", "GET /x"
    ) { log in
      log.server.on("/x", .text("x").cut(after: .start, by: .reset), .status(503))
      await #expect(throws: FetchError.self) { try await client { $0.retry = .standard }.fetch(get(log), .void) }
    },
    RequestClaim(("README", ".string), server.requests.count) // Fargo 2"), receives: "GET /x", "GET /x") { log in
      log.server.on("/x", .text("Fargo").cut(after: .body(bytes: 2), by: .reset), .text("Fargo"))
      let text = try await client { $0.retry = .standard }.fetch(get(log), .string)
      #expect(text == "Fargo")
    },
    RequestClaim(
      ("RetryingAndAuthenticating", "the request is not retried. A ``RetryBudget`` limits"), receives: "GET /x"
    ) { log in
      log.server.on("/x", .status(503, headers: ["Retry-After": "61"]))
      await #expect(throws: FetchError.self) { try await client { $0.retry = .standard }.fetch(get(log), .void) }
    },
    RequestClaim(
      ("RetryingAndAuthenticating", "A `POST` is not retried if the server may have processed the first attempt"),
      ("Uploading", "A failed POST request is retried only if you declare"),
      ("ComingFromAlamofire", "only if it has an idempotency key or if you declare that it is safe to repeat"),
      ("WhenSomethingGoesWrong", "A `POST` that may have taken effect is not retried without an idempotency key"),
      receives: "POST /x 3 bytes"
    ) { log in
      log.server.on("/x", .status(503))
      let post = HTTPRequest(.post, log.url, body: .data(Data("abc".utf8)))
      await #expect(throws: FetchError.self) { try await client { $0.retry = .standard }.fetch(post, .void) }
    },
    RequestClaim(
      ("RetryingAndAuthenticating", "If you send an `Idempotency-Key`, the server can recognize a repeated request"),
      receives: "POST /x key 1 3 bytes", "POST /x key 1 3 bytes", "POST /x key 2 3 bytes"
    ) { log in
      log.server.on("/x", .status(503), .text("x"))
      var post = HTTPRequest(.post, log.url, body: .data(Data("abc".utf8)))
      post.options.idempotency = .generatedKey
      for _ in 0..<2 { try await client { $0.retry = .standard }.fetch(post, .void) }
    },
    RequestClaim(
      ("RetryingAndAuthenticating", "An ``Interceptor`` can change every request before each attempt"),
      receives: "GET /x X-Signature=1", "GET /x X-Signature=2"
    ) { log in
      struct Signer: Interceptor {
        let count = Lock(0)

        func adapt(_ request: HTTPRequest) async throws -> HTTPRequest {
          var request = request
          let number = count.withLock { count in
            count += 1
            return count
          }
          request.headers["X-Signature"] = "\(number)"
          return request
        }
      }
      log.server.on("/x", .status(503), .text("x"))
      let client = client {
        $0.retry = .standard
        $0.interceptors = [Signer()]
      }
      try await client.fetch(get(log), .void)
    },
  ]

  /// A client whose tokens are numbered, and come from `/token` of the log's server.
  private static func authenticated(_ log: RequestLog, with token: String? = "0") -> FetchClient {
    let tokens = Authenticator<String>(
      current: token,
      apply: { token, request in request.headers["Authorization"] = token },
      refresh: { _ in try await client().fetch(log.server.url.appending(path: "token"), .string) })
    return client {
      $0.interceptors = [tokens]
      $0.concurrency = ConcurrencyLimits(perHost: 3)
    }
  }

  private static let credentials: [RequestClaim] = [
    RequestClaim(
      ("RetryingAndAuthenticating", "the authenticator refreshes them once"),
      ("ComingFromOkHttp", "which refreshes once for all waiting requests"),
      receives: "GET /token", "GET /x Authorization=0", "GET /x Authorization=0", "GET /x Authorization=0",
      "GET /x Authorization=1", "GET /x Authorization=1", "GET /x Authorization=1"
    ) { log in
      // No token is refreshed before all three requests were sent with the old one.
      let gate = LoopbackGate()
      log.server.on("/token", .text("1"))
      log.server.on("/x") { .status($0.headers["Authorization"] == "1" ? 200 : 401).held(at: gate) }
      let client = authenticated(log)
      try await withThrowingTaskGroup { group in
        for _ in 0..<3 { group.addTask { try await client.fetch(get(log), .void) } }
        await log.server.requests(atLeast: 3)
        gate.open()
        try await group.waitForAll()
      }
    },
    RequestClaim(
      ("RetryingAndAuthenticating", "next new request starts another refresh"),
      receives: "GET /token", "GET /token", "GET /x Authorization=1"
    ) { log in
      log.server.on("/token", .status(500), .text("1"))
      log.server.on("/x", .text("x"))
      let client = authenticated(log, with: nil)
      await #expect(throws: FetchError.self) { try await client.fetch(get(log), .void) }
      try await client.fetch(get(log), .void)
    },
    RequestClaim(
      ("RetryingAndAuthenticating", "and all fields that an authenticator has set are removed from the request"),
      receives: "GET /x Authorization=0"
    ) { log in
      let other = try RequestLog()
      log.server.on("/x", .redirect(307, to: other.url.absoluteString))
      other.server.on("/x", .text("x"))
      try await authenticated(log).fetch(get(log), .void)
      #expect(other.lines == ["GET /x"])
    },
  ]

  private static let bodies: [RequestClaim] = [
    RequestClaim(("Uploading", "A one-shot body is never sent a second time"), receives: "PUT /x 3 bytes") { log in
      log.server.on("/x", .status(503), .text("x"))
      let chunks = Lock([Data("abc".utf8)])
      let body = RequestBody(.stream(length: 3) { { chunks.withLock { $0.popLast() } } }, isOneShot: true)
      await #expect(throws: FetchError.self) {
        try await client { $0.retry = .standard }.fetch(HTTPRequest(.put, log.url, body: body), .void)
      }
    },
    RequestClaim(
      ("Uploading", "A redirect with status code 307 or 308 requires the body to be sent again, and so does a retry"),
      ("Uploading", "A failed PUT or DELETE request can be retried"),
      ("Uploading", "pass a function that opens the stream from the beginning, so that the request can be retried"),
      receives: "PUT /x 3 bytes", "PUT /x 3 bytes", "PUT /y 3 bytes", "PUT /x 3 bytes", "PUT /x 3 bytes",
      "PUT /y 3 bytes"
    ) { log in
      log.server.on("/x", .status(503), .redirect(308, to: "/y"), .status(503), .redirect(308, to: "/y"))
      log.server.on("/y", .text("y"))
      let stream = RequestBody.Content.stream(length: nil) {
        let chunks = Lock([Data("abc".utf8)])
        return { chunks.withLock { $0.popLast() } }
      }
      for content in [.data(Data("abc".utf8)), stream] {
        let put = HTTPRequest(.put, log.url, body: RequestBody(content))
        try await client { $0.retry = .standard }.fetch(put, .void)
      }
    },
  ]

  private static let conditions: [RequestClaim] = [
    RequestClaim(
      ("RefreshOnLaunch", "server that supports conditional requests does not send unchanged data again"),
      ("RefreshOnLaunch", "The server can compare an `ETag` and respond with status code 304"),
      ("Docs/Cookbook", "pass the version to the next fetch"), receives: "GET /x", "GET /x If-None-Match=\"a\""
    ) { log in
      log.serve()
      try await fetchTwice(log)
    },
    RequestClaim(
      ("RefreshOnLaunch", "If the server does not send validators, the client compares the digest of the body"),
      ("Docs/Cookbook", "it sends the whole body each time"), receives: "GET /x", "GET /x"
    ) { log in
      log.server.on("/x", .text("x"))
      try await fetchTwice(log)
    },
  ]

  /// Fetches, and again only what has changed, which is nothing.
  private static func fetchTwice(_ log: RequestLog) async throws {
    let client = client()
    guard case .changed(_, let version) = try await client.fetch(get(log), .string, ifChangedFrom: nil),
      case .unchanged = try await client.fetch(get(log), .string, ifChangedFrom: version)
    else {
      Issue.record("the resource has changed")
      return
    }
  }

  private static func event(_ text: String = "id: 7\ndata: a\n\n") -> LoopbackResponse {
    LoopbackResponse(headers: ["Content-Type": "text/event-stream"], body: .data(Data(text.utf8)))
  }

  /// Reads the events of a client whose clock does not wait.
  private static func follow(
    _ log: RequestLog, _ method: HTTPMethod = .get, _ reconnection: ReconnectionPolicy? = nil
  ) async throws {
    let clock = ManualClock()
    let client = client { $0.clock = clock }
    let request = HTTPRequest(method, log.url, body: method == .post ? .data(Data("ask".utf8)) : .none)
    let running = Task {
      while !Task.isCancelled {
        await clock.sleepers(atLeast: 1)
        clock.advance(by: .seconds(3600))
      }
    }
    defer { running.cancel() }
    for try await _ in client.events(request, reconnection: reconnection) {}
  }

  private static let events: [RequestClaim] = [
    RequestClaim(
      ("EventStreams", "The connection of a GET request that ends or is lost is opened again"),
      ("EventStreams", "The new request has the ID of the last event in the `Last-Event-ID` field"),
      ("EventStreams", "The sequence ends when the server responds with status code 204"),
      receives: "GET /x identity", "GET /x Last-Event-ID=7 identity", "GET /x Last-Event-ID=7 identity"
    ) { log in
      log.server.on("/x", event(), event("data: b\n\ndata: c").cut(after: .body(bytes: 12), by: .reset), .status(204))
      try await follow(log)
    },
    RequestClaim(
      ("EventStreams", "The sequence throws an error if reconnecting would not help"), receives: "GET /x identity"
    ) { log in
      log.server.on("/x", .status(404))
      await #expect(throws: FetchError.self) { try await follow(log) }
    },
    RequestClaim(
      ("EventStreams", "Any other request is sent once"), ("EventStreams", "Its sequence ends when the response ends"),
      receives: "POST /x identity 3 bytes"
    ) { log in
      log.server.on("/x", event())
      try await follow(log, .post)
    },
    RequestClaim(
      ("EventStreams", "pass a policy"),
      receives: "POST /x identity 3 bytes", "POST /x Last-Event-ID=7 identity 3 bytes"
    ) { log in
      log.server.on("/x", event(), .status(204))
      try await follow(log, .post, ReconnectionPolicy())
    },
    RequestClaim(
      ("EventStreams", "A busy server (503 or 429) is asked again when its `Retry-After` says"),
      receives: "GET /x identity", "GET /x identity"
    ) { log in
      log.server.on("/x", .status(503, headers: ["Retry-After": "1"]), .status(204))
      try await follow(log)
    },
  ]

  /// Downloads `/x`, whose first response breaks off after 40 000 bytes.
  private static func download(_ log: RequestLog, from first: RangedFile, then second: RangedFile) async throws {
    log.server.on("/x") { request in
      log.lines.count == 1 ? first.answer(request).cut(after: .body(bytes: 40_000), by: .reset) : second.answer(request)
    }
    let scratch = try Scratch()
    let session = try DownloadSession(identifier: "claims", directory: scratch.url) {
      $0.client = client { $0.retry = RetryPolicy(maxAttempts: 3) }
    }
    try await session.start(log.url, named: "x")
    for await event in session.events { #expect(try event.result.get().byteCount == Int64(second.data.count)) }
    await session.close()
  }

  private static let downloads: [RequestClaim] = [
    RequestClaim(
      ("Downloads", "only the rest of the file is downloaded, using `Range` and `If-Range`"),
      ("Downloads", "requests only the rest of each file"),
      ("Docs/Tutorial", "The second run requests only the rest of the file, with `Range` and `If-Range`"),
      receives: "GET /x identity", "GET /x Range=bytes=40000- If-Range=\"one\" identity"
    ) { try await download($0, from: RangedFile(count: 100_000), then: RangedFile(count: 100_000)) },
    RequestClaim(
      ("Downloads", "Otherwise, the download starts from the beginning"),
      receives: "GET /x identity", "GET /x Range=bytes=40000- If-Range=\"one\" identity"
    ) { try await download($0, from: RangedFile(count: 100_000), then: RangedFile(count: 60_000, tag: "\"two\"")) },
    RequestClaim(
      ("Downloads", "Otherwise, the download starts from the beginning"), receives: "GET /x identity", "GET /x identity"
    ) {
      let file = RangedFile(count: 60_000, tag: nil)
      try await download($0, from: file, then: file)
    },
    RequestClaim(
      ("Downloads", "If the download has finished, `start` downloads the file again"),
      ("Downloads", "It returns the file until you acknowledge the event"),
      receives: "GET /x identity", "GET /x identity"
    ) { log in
      log.serve()
      let scratch = try Scratch()
      let session = try DownloadSession(identifier: "claims", directory: scratch.url)
      for _ in 0..<2 {
        #expect(try await session.start(log.url, named: "x") == .started)
        for _ in 0..<2 { _ = try await session.result(of: "x").get() }
      }
      await session.close()
    },
  ]
}
