import Foundation
import Testing

@testable import FetchKit

/// The cache's decision for a request, section by section of RFC 9111.
@Suite struct CacheDecisionTests {
  struct Row: CustomTestStringConvertible, Sendable {
    var section: String
    var response: String
    var age: Double
    var request: HTTPHeaders
    var mode: CacheMode
    var method: HTTPMethod
    var expected: String

    init(
      _ section: String, _ response: String, _ age: Double, _ expected: String, request: HTTPHeaders = [:],
      mode: CacheMode = .standard, method: HTTPMethod = .get
    ) {
      self.section = section
      self.response = response
      self.age = age
      self.expected = expected
      self.request = request
      self.mode = mode
      self.method = method
    }

    var testDescription: String { "§\(section): \(response) at \(age) s, \(method) \(request) \(mode): \(expected)" }
  }

  static let rows: [Row] = [
    Row("4.2", "max-age=10", 9.9, "fresh"),
    Row("4.2", "max-age=10", 10, "validate"),
    Row("4.2", "max-age=0", 0, "validate"),
    Row("4.2", "", 0, "validate"),
    Row("4.2.4", "max-age=10, must-revalidate", 9, "fresh"),
    Row("4.2.4", "max-age=10, must-revalidate", 11, "validate", request: ["Cache-Control": "max-stale"]),
    Row("4.3.1", "max-age=10", 11, "fetch", method: .head),
    Row("4", "max-age=10", 5, "fresh", method: .head),
    Row("4", "max-age=10", 5, "fetch", method: .post),
    Row("4", "max-age=10", 5, "fetch", request: ["If-None-Match": "\"x\""]),
    Row("4", "max-age=10", 5, "fetch", request: ["If-Modified-Since": "x"]),
    Row("5.2.1.1", "max-age=10", 5, "fresh", request: ["Cache-Control": "max-age=5"]),
    Row("5.2.1.1", "max-age=10", 5, "validate", request: ["Cache-Control": "max-age=4"]),
    Row("5.2.1.1", "max-age=10", 5, "validate", request: ["Cache-Control": "max-age=x"]),
    Row("5.2.1.2", "max-age=10", 15, "stale", request: ["Cache-Control": "max-stale=5"]),
    Row("5.2.1.2", "max-age=10", 15, "validate", request: ["Cache-Control": "max-stale=4"]),
    Row("5.2.1.2", "max-age=10", 1e6, "stale", request: ["Cache-Control": "max-stale"]),
    Row("5.2.1.2", "max-age=10, no-cache", 15, "validate", request: ["Cache-Control": "max-stale"]),
    Row("5.2.1.2", "max-age=10", 15, "validate", request: ["Cache-Control": "max-stale=5, max-age=14"]),
    Row("5.2.1.3", "max-age=10", 5, "fresh", request: ["Cache-Control": "min-fresh=5"]),
    Row("5.2.1.3", "max-age=10", 5, "validate", request: ["Cache-Control": "min-fresh=6"]),
    Row("5.2.1.4", "max-age=10", 5, "validate", request: ["Cache-Control": "no-cache"]),
    Row("5.2.1.5", "max-age=10", 5, "fetch", request: ["Cache-Control": "no-store"]),
    Row("5.2.1.7", "max-age=10", 5, "fresh", request: ["Cache-Control": "only-if-cached"]),
    Row("5.2.1.7", "max-age=10", 15, "unavailable", request: ["Cache-Control": "only-if-cached"]),
    Row("5.2.1.7", "max-age=10", 15, "stale", request: ["Cache-Control": "only-if-cached, max-stale"]),
    Row("5.2.2.4", "max-age=10, no-cache", 0, "validate"),
    Row("5.2.2.4", "max-age=10, no-cache=\"Set-Cookie\"", 0, "validate"),
    Row("5.2.2.7", "max-age=10, private", 5, "fresh"),
    Row("5.2.2.8", "max-age=10, proxy-revalidate", 15, "stale", request: ["Cache-Control": "max-stale"]),
    Row("5.2.2.10", "s-maxage=100", 5, "validate"),
    Row("5.4", "max-age=10", 5, "validate", request: ["Pragma": "no-cache"]),
    Row("5.4", "max-age=10", 5, "fresh", request: ["Pragma": "no-cache", "Cache-Control": "max-age=10"]),
    Row("RFC 5861 3", "max-age=10, stale-while-revalidate=5", 15, "stale and revalidate"),
    Row("RFC 5861 3", "max-age=10, stale-while-revalidate=5", 15.1, "validate"),
    Row("RFC 5861 3", "max-age=10, stale-while-revalidate=5, must-revalidate", 12, "validate"),
    Row("RFC 5861 3", "max-age=10, stale-while-revalidate=5", 12, "validate", request: ["Cache-Control": "max-age=20"]),
    Row("RFC 5861 3", "max-age=10, stale-while-revalidate=5", 12, "validate", request: ["Cache-Control": "no-cache"]),
    Row("RFC 8246", "max-age=10, immutable", 5, "fresh", mode: .revalidate),
    Row("RFC 8246", "max-age=10, immutable", 15, "validate", mode: .revalidate),
    Row("RFC 8246", "max-age=10, immutable", 5, "validate", request: ["Cache-Control": "no-cache"]),
    Row("Fetch", "max-age=10", 5, "validate", mode: .revalidate),
    Row("Fetch", "max-age=10", 5, "fetch", mode: .reload),
    Row("Fetch", "max-age=10", 5, "fetch", mode: .bypass),
    Row("Fetch", "max-age=10", 1e6, "stale", mode: .preferStored),
    Row("Fetch", "max-age=10, must-revalidate", 1e6, "validate", mode: .preferStored),
    Row("Fetch", "max-age=10", 1e6, "stale", mode: .onlyStored),
    Row("Fetch", "max-age=10, no-cache", 1, "unavailable", mode: .onlyStored),
    Row("5.2.1.7", "max-age=10", 5, "unavailable", mode: .onlyStored, method: .post),
    Row("5.2.1.7", "max-age=10", 5, "unavailable", request: ["Cache-Control": "only-if-cached"], method: .delete),
    Row("5.2.1.7", "max-age=10", 5, "fresh", request: ["If-None-Match": "\"a\""], mode: .onlyStored),
    Row("5.2.1.7", "max-age=10", 5, "unavailable", request: ["If-Match": "\"a\""], mode: .onlyStored),
    Row("5.2.1.7", "max-age=10", 5, "unavailable", request: ["Cache-Control": "no-store"], mode: .onlyStored),
    Row("5.2.1.7", "max-age=10", 5, "unavailable", request: ["Range": "bytes=10-"], mode: .onlyStored),
    Row(
      "5.2.1.7", "max-age=10, stale-while-revalidate=5", 12, "stale", request: ["Cache-Control": "only-if-cached"]),
    Row("Fetch", "max-age=10", 5, "fetch", request: ["Cache-Control": "only-if-cached"], mode: .reload),
    Row("Fetch", "max-age=10", 5, "fetch", request: ["Cache-Control": "only-if-cached"], mode: .bypass),
    Row("RFC 9110 14", "max-age=10", 5, "fresh", request: ["Range": "bytes=0-1"]),
    Row("RFC 9110 14", "max-age=10", 5, "fetch", request: ["Range": "bytes=10-"]),
    Row("RFC 9110 14", "max-age=10", 5, "fetch", request: ["Range": "bytes=0-1,3-4"]),
    Row("RFC 9110 14", "max-age=10", 15, "fetch", request: ["Range": "bytes=0-1"]),
    Row("RFC 9110 14", "max-age=10", 5, "fetch", request: ["Range": "bytes=0-1", "If-Range": "\"a\""]),
    Row("4.2.3 (a clock set back)", "max-age=10", -1, "validate"),
  ]

  @Test(arguments: rows) func `each cache directive has the effect that its section of RFC 9111 specifies`(row: Row) {
    let stored = StoredResponse(200, ["Cache-Control": row.response, "ETag": "\"a\""])
    let query = CacheRequest(row.method, row.request, mode: row.mode)
    let decision = CacheDecision(query, stored, at: TestDate.start + row.age)
    #expect(Self.word(decision) == row.expected)
  }

  @Test func `a stale response without a validator is fetched again`() {
    let stored = StoredResponse(200, ["Cache-Control": "max-age=10"])
    #expect(Self.word(CacheDecision(CacheRequest(), stored, at: TestDate.start + 11)) == "fetch")
  }

  @Test(
    arguments: [
      (.standard, [:], "fetch"), (.onlyStored, [:], "unavailable"),
      (.standard, ["Cache-Control": "only-if-cached"], "unavailable"), (.preferStored, [:], "fetch"),
    ] as [(CacheMode, HTTPHeaders, String)])
  func `without a stored response the cache mode decides between fetching and failing`(
    mode: CacheMode, headers: HTTPHeaders, expected: String
  ) {
    #expect(Self.word(CacheDecision(CacheRequest(.get, headers, mode: mode), nil, at: TestDate.start)) == expected)
  }

  private static func word(_ decision: CacheDecision) -> String {
    switch decision {
    case .serve(_, let source): source.rawValue
    case .serveAndRevalidate: "stale and revalidate"
    case .validate: "validate"
    case .fetch: "fetch"
    case .unavailable: "unavailable"
    }
  }

  struct StaleFallback: CustomTestStringConvertible, Sendable {
    var response: String
    var staleness: Double
    var error: FetchError
    var request: HTTPHeaders = [:]
    var offline = 0.0
    var expected: Bool

    var testDescription: String { "\(response), \(staleness) s stale, \(request), \(error): \(expected)" }
  }

  private static let context = FetchError.Context()
  private static func status(_ status: Int) -> FetchError { .status(StatusFailure(status: status), context) }

  static let staleFallbacks: [StaleFallback] = [
    StaleFallback(response: "stale-if-error=5", staleness: 5, error: status(500), expected: true),
    StaleFallback(response: "stale-if-error=5", staleness: 6, error: status(500), expected: false),
    StaleFallback(response: "stale-if-error=5", staleness: 5, error: status(502), expected: true),
    StaleFallback(response: "stale-if-error=5", staleness: 5, error: status(503), expected: true),
    StaleFallback(response: "stale-if-error=5", staleness: 5, error: status(504), expected: true),
    StaleFallback(response: "stale-if-error=5", staleness: 5, error: status(501), expected: false),
    StaleFallback(response: "stale-if-error=5", staleness: 5, error: status(404), expected: false),
    StaleFallback(response: "stale-if-error=5", staleness: 5, error: .connection(.lost, context), expected: true),
    StaleFallback(response: "stale-if-error=5", staleness: 5, error: .timeout(.idle, context), expected: true),
    StaleFallback(response: "stale-if-error=5", staleness: 5, error: .connection(.tls, context), expected: false),
    StaleFallback(response: "stale-if-error=5", staleness: 5, error: .cancelled(context), expected: false),
    StaleFallback(response: "stale-if-error=5, must-revalidate", staleness: 1, error: status(500), expected: false),
    StaleFallback(response: "stale-if-error=5, no-cache", staleness: 1, error: status(500), expected: false),
    StaleFallback(
      response: "", staleness: 5, error: status(500), request: ["Cache-Control": "stale-if-error=5"], expected: true),
    StaleFallback(
      response: "stale-if-error=5", staleness: 5, error: status(500), request: ["Cache-Control": "no-cache"],
      expected: false),
    StaleFallback(
      response: "stale-if-error=5", staleness: 5, error: status(500), request: ["Range": "bytes=0-1"], expected: false),
    StaleFallback(
      response: "stale-if-error=5", staleness: 5, error: status(504), request: ["Cache-Control": "only-if-cached"],
      expected: false),
    StaleFallback(response: "", staleness: 5, error: .connection(.refused, context), offline: 5, expected: true),
    StaleFallback(response: "", staleness: 6, error: .connection(.refused, context), offline: 5, expected: false),
    StaleFallback(
      response: "", staleness: 5, error: .connection(.nameNotResolved, context), offline: 5, expected: true),
    StaleFallback(response: "", staleness: 5, error: .connection(.offline, context), offline: 5, expected: true),
    StaleFallback(response: "", staleness: 5, error: .timeout(.connect, context), offline: 5, expected: false),
    StaleFallback(response: "", staleness: 5, error: status(503), offline: 5, expected: false),
    StaleFallback(
      response: "must-revalidate", staleness: 1, error: .connection(.refused, context), offline: 5, expected: false),
  ]

  @Test(arguments: staleFallbacks)
  func `a stale response is served on errors only where RFC 5861 §4 or being offline allows it`(
    row: StaleFallback
  ) {
    let stored = StoredResponse(200, ["Cache-Control": "max-age=10, \(row.response)"])
    let query = CacheRequest(.get, row.request)
    let isAllowed = StaleUse.allows(
      stored, for: query, after: row.error, at: TestDate.start + 10 + row.staleness, offline: row.offline)
    #expect((StaleUse.mayReplace(row.error, of: query) && isAllowed) == row.expected)
  }
}
