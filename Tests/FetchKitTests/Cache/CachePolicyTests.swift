import Foundation
import Testing

@testable import FetchKit

/// The parts of the policy: reading fields, computing ages and lifetimes, deciding what to store.
@Suite struct CachePolicyTests {
  @Test(
    arguments: [
      ("max-age=3", 3), ("MAX-age=003", 3), ("max-age=\"3\"", 3), ("max-age=-3", 0), ("max-age=3.0", 0), ("max-age", 0),
      ("max-age='3'", 0), ("max-age=3, max-age=3", 3), ("max-age=3, max-age=4", 0),
      ("a=\"max-age=9, x\", max-age=3", 3),
      ("max-age=3, a=\"\\\", max-age=9\"", 3), ("max-age=99999999999999999999", CacheControl.mostSeconds),
      (",, ,max-age=3,", 3), ("\tmax-age=3 ", 3),
    ] as [(String, Int)])
  func `max-age is read as written, and an invalid one is ignored`(text: String, expected: Int) {
    #expect(CacheControl(["Cache-Control": text]).maxAge == expected)
  }

  @Test func `cache directives are read from every line, in any case`() {
    let control = CacheControl([
      "Cache-Control": "No-Store, private=\"x\", IMMUTABLE", "Other": "no-cache",
      "cache-control": "must-Revalidate, stale-if-error=7, stale-while-revalidate=x, max-stale, min-fresh=2",
    ])
    var expected = CacheControl()
    expected.noStore = true
    expected.isImmutable = true
    expected.mustRevalidate = true
    expected.staleIfError = 7
    expected.maxStale = CacheControl.mostSeconds
    expected.minFresh = 2
    #expect(control == expected)
  }

  @Test(
    arguments: [
      (["Cache-Control": "max-age=60"], 60.0),
      (["Cache-Control": "max-age=60", "Expires": "0"], 60),
      (["Expires": "Sun, 06 Nov 1994 08:50:37 GMT"], 60),
      (["Expires": "Sun, 06 Nov 1994 08:50:37 GMT", "Date": "Sun, 06 Nov 1994 08:50:07 GMT"], 30),
      (["Expires": "Sun, 06 Nov 1994 08:50:37 GMT", "Date": "nonsense"], 60),
      (["Expires": "Sun, 06 Nov 1994 08:48:37 GMT"], 0),
      (["Expires": "0", "Last-Modified": "Sun, 06 Nov 1994 08:32:57 GMT"], 0),
      (["Last-Modified": "Sun, 06 Nov 1994 08:32:57 GMT"], 100),
      (["Last-Modified": "Sat, 06 Nov 1993 08:32:57 GMT"], 7 * 86400),
      (["Last-Modified": "Mon, 07 Nov 1994 08:32:57 GMT"], 0),
      ([:], 0),
    ] as [(HTTPHeaders, Double)])
  func `§4.2.1: the freshness lifetime comes from the first field that gives one`(
    headers: HTTPHeaders, expected: Double
  ) {
    #expect(StoredResponse(200, headers).freshness.lifetime == expected)
  }

  @Test(
    arguments: [
      (200, true), (201, false), (203, true), (204, true), (301, true), (302, false), (308, true), (404, true),
      (403, false), (410, true), (500, false), (501, true), (599, false),
    ] as [(Int, Bool)])
  func `§4.2.2: only some statuses get a heuristic lifetime`(status: Int, isHeuristic: Bool) {
    let changed: HTTPHeaders = ["Last-Modified": "Sun, 06 Nov 1994 08:32:57 GMT"]
    #expect(StoredResponse(status, changed).freshness.lifetime == (isHeuristic ? 100 : 0))
    var declared = changed
    declared["Cache-Control"] = "public"
    #expect(StoredResponse(status, declared).freshness.lifetime == 100)
  }

  @Test(
    arguments: [
      ([:], 0.0, 0.0), (["Age": "5"], 0, 5), (["Age": "5"], 2, 7), (["Age": "5, 9"], 0, 5),
      (["Age": "5.0"], 0, 0), (["Age": "-5"], 0, 0), (["Age": "99999999999"], 0, Double(CacheControl.mostSeconds)),
      (["Date": "Sun, 06 Nov 1994 08:49:07 GMT"], 0, 30),
      (["Date": "Sun, 06 Nov 1994 08:49:07 GMT", "Age": "40"], 0, 40),
      (["Date": "Sun, 06 Nov 1994 08:50:07 GMT"], 0, 0),
    ] as [(HTTPHeaders, Double, Double)])
  func `§4.2.3: the initial age counts Age, Date and the response delay`(
    headers: HTTPHeaders, delay: Double, expected: Double
  ) {
    let stored = StoredResponse(200, headers, requested: TestDate.start - delay)
    #expect(stored.freshness.initialAge == expected)
    #expect(stored.freshness.age(at: TestDate.start + 3) == expected + 3)
    #expect(stored.freshness.age(at: TestDate.start - 3) == nil)
  }

  struct Storing: CustomTestStringConvertible, Sendable {
    var method = HTTPMethod.get
    var status = 200
    var response: HTTPHeaders = [:]
    var request: HTTPHeaders = [:]
    var mode = CacheMode.standard
    var expected: Bool

    var testDescription: String { "\(method) \(request) \(mode): \(status) \(response): \(expected)" }
  }

  static let storing: [Storing] = [
    Storing(expected: true),
    Storing(response: ["Cache-Control": "max-age=1"], request: ["Authorization": "x"], expected: true),
    Storing(response: ["Cache-Control": "no-store, max-age=1"], expected: false),
    Storing(response: ["Cache-Control": "no-store, must-understand"], expected: true),
    Storing(status: 599, response: ["Cache-Control": "no-store, must-understand, max-age=1"], expected: false),
    Storing(request: ["Cache-Control": "no-store"], expected: false),
    Storing(mode: .bypass, expected: false),
    Storing(mode: .reload, expected: true),
    Storing(method: .head, response: ["Cache-Control": "max-age=1"], expected: false),
    Storing(method: .post, response: ["Cache-Control": "max-age=1"], expected: false),
    Storing(status: 206, response: ["Cache-Control": "max-age=1"], expected: false),
    Storing(status: 304, response: ["Cache-Control": "max-age=1"], expected: false),
    Storing(status: 302, expected: false),
    Storing(status: 302, response: ["Cache-Control": "max-age=1"], expected: true),
    Storing(status: 500, expected: false),
    Storing(status: 500, response: ["Expires": "0"], expected: true),
    Storing(status: 403, response: ["Cache-Control": "public"], expected: true),
    Storing(status: 410, expected: true),
  ]

  @Test(arguments: storing) func `§3: only responses that RFC 9111 allows are stored`(row: Storing) {
    let query = CacheRequest(row.method, row.request, mode: row.mode)
    let head = ResponseHead(status: row.status, headers: row.response)
    #expect(StoragePolicy.allows(query, head, CacheControl(head.headers)) == row.expected)
  }

  @Test(
    arguments: [
      (["Cache-Control": "max-age=1", "Content-Location": "/a"], true),
      (["Cache-Control": "max-age=1", "Content-Location": "http://example.com/a"], true),
      (["Cache-Control": "max-age=1", "Content-Location": "/b"], false), (["Content-Location": "/a"], false),
      (["Cache-Control": "max-age=1"], false),
      (["Cache-Control": "max-age=1, no-store", "Content-Location": "/a"], false),
    ] as [(HTTPHeaders, Bool)])
  func `RFC 9110 §9.3.3: a POST response is stored as the GET's when its fields allow it`(
    headers: HTTPHeaders, expected: Bool
  ) {
    let head = ResponseHead(status: 200, headers: headers)
    #expect(StoragePolicy.servesGet(CacheRequest(.post), head, CacheControl(headers)) == expected)
  }

  @Test(
    arguments: [
      ("Foo", ["Foo": "1"], ["foo": "1"], true), ("Foo", ["Foo": "1"], ["Foo": "2"], false),
      ("Foo", ["Foo": "1"], [:], false), ("Foo", [:], [:], true), ("Foo", ["Foo": ""], [:], false),
      ("Foo", ["Foo": "1, 2"], ["Foo": "1", "foo": "2"], true), ("Foo", ["Foo": "1,2"], ["Foo": " 1 ,  2"], true),
      ("Foo", ["Foo": "1, 2"], ["Foo": "2, 1"], false), ("Foo", ["Foo": "a"], ["Foo": "A"], false),
      ("Foo", ["Foo": "\"a, b\""], ["Foo": "\"a,b\""], false), ("Foo, Bar", ["Foo": "1"], ["Bar": "1"], false),
      ("Foo, bar", ["Foo": "1", "Bar": "2"], ["Bar": "2", "Foo": "1", "Other": "3"], true),
      ("Accept-Language", ["Accept-Language": "en, de"], ["Accept-Language": "DE,en"], true),
      ("Accept-Language", ["Accept-Language": "en;q=0.5, de"], ["Accept-Language": "en, de"], false),
    ] as [(String, HTTPHeaders, HTTPHeaders, Bool)])
  func `§4.1: requests with equal selected fields share a stored response`(
    vary: String, left: HTTPHeaders, right: HTTPHeaders, isSame: Bool
  ) throws {
    let names = try #require(VaryKey.names(in: ["Vary": vary]))
    #expect((VaryKey.text(of: names, in: left) == VaryKey.text(of: names, in: right)) == isSame)
  }

  @Test(arguments: ["*", "Foo, *", ", *", "*, *"]) func `§4.1: Vary with a star matches no request`(vary: String) {
    #expect(VaryKey.names(in: ["Vary": vary]) == nil)
    #expect(VaryKey.names(in: ["Vary": "Foo", "vary": vary]) == nil)
  }

  @Test func `§3.2: a 304 updates the stored fields except those of the body`() throws {
    let stored = StoredResponse(
      200,
      [
        "ETag": "\"a\"", "A": "1", "B": "1", "b": "2", "Content-Length": "10", "Content-Encoding": "gzip", "Age": "7",
        "Cache-Control": "max-age=1",
      ])
    let head = ResponseHead(
      status: 304,
      headers: [
        "etag": "W/\"a\"", "B": "3", "C": "4", "c": "5", "Content-Length": "0", "Content-Encoding": "br",
        "Connection": "D", "D": "6", "Cache-Control": "max-age=60",
      ])
    let updated = try #require(stored.updated(by: head, requested: TestDate.start + 9, received: TestDate.start + 9))
    #expect(
      updated.headers.sorted { $0.name < $1.name }.map { "\($0.name): \($0.value)" } == [
        "A: 1", "B: 3", "C: 4", "Cache-Control: max-age=60", "Content-Encoding: gzip", "Content-Length: 10", "c: 5",
        "etag: W/\"a\"",
      ])
    #expect(updated.body == stored.body)
    #expect(updated.freshness.lifetime == 60)
    #expect(updated.freshness.age(at: TestDate.start + 10) == 1)
  }

  @Test func `§4.3.4: a 304 for another representation updates nothing`() {
    let stored = StoredResponse(200, ["ETag": "\"a\""])
    let head = ResponseHead(status: 304, headers: ["ETag": "\"b\""])
    #expect(stored.updated(by: head, requested: TestDate.start, received: TestDate.start) == nil)
  }

  @Test(
    arguments: [
      (HTTPMethod.post, 200, [:], ["http://example.com/a"]), (.put, 204, [:], ["http://example.com/a"]),
      (.delete, 302, [:], ["http://example.com/a"]), ("M-SEARCH", 200, [:], ["http://example.com/a"]),
      (.post, 404, [:], []), (.post, 500, [:], []), (.get, 200, [:], []), (.head, 200, ["Location": "/b"], []),
      (.post, 201, ["Location": "b?x#f"], ["http://example.com/a", "http://example.com/b?x"]),
      (.post, 200, ["Content-Location": "/c", "Location": "/a"], ["http://example.com/a", "http://example.com/c"]),
      (.post, 201, ["Location": "http://other.example/b"], ["http://example.com/a"]),
      (.post, 201, ["Location": "https://example.com/b"], ["http://example.com/a"]),
    ] as [(HTTPMethod, Int, HTTPHeaders, [String])])
  func `§4.4: an unsafe method invalidates the URLs that its response names`(
    method: HTTPMethod, status: Int, headers: HTTPHeaders, expected: [String]
  ) {
    #expect(Invalidation.urls(CacheRequest(method), ResponseHead(status: status, headers: headers)) == expected)
  }

  @Test(
    arguments: [
      ("bytes=0-1", 0..<2), ("bytes=1-", 1..<10), ("bytes=-3", 7..<10), ("bytes=5-99", 5..<10), ("bytes=-99", 0..<10),
      ("bytes=9-9", 9..<10), ("bytes=10-", nil), ("bytes=3-2", nil), ("bytes=-0", nil), ("bytes=-", nil),
      ("bytes=a-b", nil),
      ("bytes=0-1,4-5", nil), ("items=0-1", nil), ("bytes=0-99999999999999999999", nil), ("bytes=--1", nil),
    ] as [(String, Range<Int>?)])
  func `RFC 9110 §14.1.2: a Range field with one valid range is read`(field: String, expected: Range<Int>?) {
    #expect(ByteRange(field, count: 10)?.bytes == expected)
  }

  @Test func `responses are stored separately for each credential and for nothing else`() {
    let plain = CacheRequest().credential
    let first = CacheRequest(.get, ["Authorization": "Bearer one"]).credential
    #expect(plain.isEmpty)
    #expect(CacheRequest(.get, ["Accept": "a"]).credential.isEmpty)
    #expect(first == CacheRequest(.get, ["authorization": "Bearer one", "Accept": "a"]).credential)
    #expect(first != CacheRequest(.get, ["Authorization": "Bearer two"]).credential)
    #expect(!CacheRequest(.get, ["Cookie": "a=b"]).credential.isEmpty)
    #expect(!first.contains("one"))
  }

  @Test(
    arguments: [
      ("Sun, 06 Nov 1994 08:49:37 GMT", true), ("sun, 06 nov 1994 08:49:37 gMT", true),
      ("Sunday, 06-Nov-94 08:49:37 GMT", true), ("Sun Nov  6 08:49:37 1994", true),
      ("Sun, 06 Nov 1994 08:49:37 UTC", false), ("Sun, 06 Nov 94 08:49:37 GMT", false),
      ("Sun 06 Nov 1994 08:49:37 GMT", false), ("Sun, 06  Nov 1994 08:49:37 GMT", false),
      ("Sun, 06-Nov-1994 08:49:37 GMT", false), ("Sun, 06 Nov 1994 08.49.37 GMT", false),
      ("Sun, 06 Nov 1994 8:49:37 GMT", false), ("Sun, 06 Nov 1994 08:49:37", false), ("0", false), ("", false),
      ("Sun, 06 Nov 1994 08:49:37 GMT ", false), ("Sun Nov 6 08:49:37 1994", false),
    ] as [(String, Bool)])
  func `RFC 9110 §5.6.7: dates are read strictly`(text: String, isDate: Bool) {
    #expect(HTTPDate.parse(text) == (isDate ? TestDate.start : nil))
  }
}
