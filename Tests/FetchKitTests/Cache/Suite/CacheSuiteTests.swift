import FetchKit
import FetchKitTesting
import Foundation
import Testing

/// The public suite for HTTP caches where its fixtures are installed, and a small suite of our own everywhere.
///
/// Docs/Caching.md explains each test that does not pass.
@Suite(.timeLimit(.minutes(10))) struct CacheSuiteTests {
  enum Way: String, CaseIterable, Sendable, CustomTestStringConvertible {
    /// Over a socket, stored in memory.
    case memory
    /// Over a socket, stored only in files.
    case disk
    /// Without a network: includes responses that a transport refuses.
    case stub

    var testDescription: String { rawValue }
  }

  private static let isHere = Fixtures.file("http-cache/tests.json") != nil

  /// Nothing with part of a body is stored, and no language is chosen on the server's behalf; cookies are credentials.
  private static let notPassed: Set<String> = [
    "partial-store-partial-reuse-partial", "partial-store-partial-reuse-partial-byterange",
    "partial-store-partial-reuse-partial-absent", "partial-store-partial-reuse-partial-suffix",
    "partial-store-partial-complete", "vary-normalise-lang-select", "other-cookie",
  ]

  @Test(.enabled(if: isHere, "fixtures/http-cache is missing: only the small suite runs"), arguments: Way.allCases)
  func `the public cache suite passes except for the known failures`(way: Way) async throws {
    let file = try #require(Fixtures.file("http-cache/tests.json"))
    let suite = try CacheSuite(Data(contentsOf: file))
    let failures = try await Self.failures(of: suite, way)
    var expected = Self.notPassed
    // libcurl accepts no transfer coding that it does not know, as RFC 9112 §6.1 requires.
    if way != .stub { expected.insert("headers-store-Transfer-Encoding") }
    let counted = suite.tests.filter { $0.kind != "check" }
    #expect(Set(failures.keys).intersection(counted.map(\.id)) == expected, "\(failures)")
    for (kind, all) in [("required", 137), ("optimal", 77)] {
      let tests = counted.filter { $0.kind == kind }
      let passed = tests.filter { failures[$0.id] == nil }
      let firm = passed.filter { test in test.dependsOn.allSatisfy { failures[$0] == nil } }
      #expect(tests.count == all)
      print("http-cache, \(way): \(passed.count) of \(all) \(kind), \(firm.count) with all they depend on")
    }
  }

  @Test(arguments: Way.allCases) func `the small cache suite passes except for its two deliberate failures`(way: Way)
    async throws
  {
    let suite = try CacheSuite(Data(Self.small.utf8))
    #expect(suite.tests.count == 8)
    let failures = try await Self.failures(of: suite, way)
    #expect(failures.keys.sorted() == ["must-fail-cached", "must-fail-type"], "\(failures)")
  }

  private static func failures(of suite: CacheSuite, _ way: Way) async throws -> [String: String] {
    let server = way == .stub ? nil : try LoopbackServer()
    defer { server?.stop() }
    let scratch = try Scratch()
    var failures: [String: String] = [:]
    for (index, test) in suite.tests.enumerated() {
      let cache =
        way == .disk
        ? try HTTPCache(directory: scratch.url.appending(path: "\(index)")) { $0.memoryBytes = 0 } : HTTPCache()
      failures[test.id] = await CacheSuiteRun(test: test, cache: cache, server: server).failure()
    }
    return failures
  }

  /// The last two expect the impossible, which shows that the runner notices failures.
  private static let small = """
    [{"tests": [
      {"id": "fresh", "requests": [
        {"response_headers": [["Cache-Control", "max-age=60"], ["Date", 0]], "setup": true, "pause_after": true},
        {"expected_type": "cached", "expected_response_headers": [["Age", ">", 2], ["Date", 0]]}]},
      {"id": "stale", "requests": [
        {"response_headers": [["Expires", 2], ["Date", 0]], "setup": true, "pause_after": true},
        {"expected_type": "not_cached"}]},
      {"id": "validated", "requests": [
        {"response_headers": [["Cache-Control", "max-age=2"], ["ETag", "\\"v\\""]], "pause_after": true},
        {"expected_type": "etag_validated", "expected_request_headers": [["If-None-Match", "\\"v\\""]],
         "response_headers": [["X", "new"]], "expected_response_headers": [["X", "new"]]}]},
      {"id": "varies", "requests": [
        {"request_headers": [["A", "1"]], "response_headers": [["Cache-Control", "max-age=60"], ["Vary", "A"]]},
        {"request_headers": [["A", "2"]], "expected_type": "not_cached",
         "response_headers": [["Cache-Control", "max-age=60"], ["Vary", "A"]]},
        {"request_headers": [["A", "1"]], "expected_type": "cached"}]},
      {"id": "changed", "requests": [
        {"response_headers": [["Cache-Control", "max-age=60"]]},
        {"request_method": "POST", "request_body": "x"},
        {"expected_type": "not_cached"}]},
      {"id": "lost", "requests": [
        {"response_headers": [["Cache-Control", "max-age=2, must-revalidate"]], "pause_after": true},
        {"disconnect": true, "expected_status": null, "check_body": false,
         "expected_response_headers_missing": ["server-request-count"]}]},
      {"id": "must-fail-cached", "requests": [
        {"response_headers": [["Cache-Control", "no-store"]]},
        {"expected_type": "cached"}]},
      {"id": "must-fail-type", "requests": [
        {"response_headers": [["Cache-Control", "max-age=60"]]},
        {"expected_type": "etag_validated"}]}
    ]}]
    """
}
