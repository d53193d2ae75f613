import Foundation
import Testing

@testable import FetchKit

@Suite struct RedirectFollowerTests {
  private func url(_ text: String) -> URL { URL(string: text) ?? URL(filePath: "/invalid") }

  private func next(
    _ status: Int, _ location: String?, _ request: HTTPRequest, limit: Int = 10, redacted: Set<String> = []
  ) -> RedirectFollower.Decision {
    var follower = RedirectFollower(.follow(limit: limit), redactor: Redactor(queryItems: [], headers: redacted))
    let headers: HTTPHeaders = location.map { ["Location": $0] } ?? [:]
    return follower.next(after: ResponseHead(status: status, headers: headers), to: request)
  }

  /// RFC 9110 §15.4, with the customary change from POST to GET for 301 and 302.
  @Test(arguments: [
    (301, "POST", "GET", false), (302, "POST", "GET", false), (303, "POST", "GET", false), (307, "POST", "POST", true),
    (308, "POST", "POST", true), (301, "PUT", "PUT", true), (302, "PUT", "PUT", true), (303, "PUT", "GET", false),
    (307, "PUT", "PUT", true), (303, "DELETE", "GET", false), (302, "DELETE", "DELETE", true),
    (301, "GET", "GET", false), (303, "HEAD", "HEAD", false), (308, "PATCH", "PATCH", true),
  ])
  func `the redirect's status decides whether the method and body are kept`(
    status: Int, method: String, expected: String, keepsBody: Bool
  ) throws {
    let hasBody = !["GET", "HEAD"].contains(method)
    let request = HTTPRequest(
      HTTPMethod(rawValue: method), url("http://a/x"), headers: ["Content-Type": "text/plain", "X": "y"],
      body: hasBody ? .data(Data("b".utf8)) : .none)
    let followed = try #require(next(status, "/y", request).request)
    #expect(followed.method.rawValue == expected)
    #expect(followed.body.isEmpty == !keepsBody)
    #expect(followed.headers["X"] == "y")
    if hasBody { #expect((followed.headers["Content-Type"] != nil) == keepsBody) }
  }

  @Test(arguments: [200, 204, 300, 304, 305, 306, 404])
  func `a status that is not a redirect is delivered as the response`(status: Int) throws {
    #expect(next(status, "/y", HTTPRequest(.get, url("http://a/x"))).isDelivery)
  }

  @Test func `a redirect without a location is delivered, one with an invalid location is a failure`() throws {
    #expect(next(302, nil, HTTPRequest(.get, url("http://a/x"))).isDelivery)
    for location in ["ftp://a/", "file:///etc/passwd", "javascript:alert(1)", "http://", "data:,x"] {
      #expect(next(302, location, HTTPRequest(.get, url("http://a/x"))).failure == .invalidLocation)
    }
  }

  @Test(arguments: [
    ("y", "http://a:81/p/y"), ("/y", "http://a:81/y"), ("?q=1", "http://a:81/p/x?q=1"), ("y#f", "http://a:81/p/y"),
    ("//b/z", "http://b/z"),
    ("../y", "http://a:81/y"), ("http://a:81/p/x/../w#f", "http://a:81/p/w"), ("/a b/ü", "http://a:81/a%20b/%C3%BC"),
    ("http://user:pass@a:81/y", "http://a:81/y"), ("/a b?q=%2B%20", "http://a:81/a%20b?q=%2B%20"),
    ("/ü/%2F?q=a+b%26", "http://a:81/%C3%BC/%2F?q=a+b%26"), ("/a//b/?x=|", "http://a:81/a//b/?x=%7C"),
    ("/100%/x y", "http://a:81/100%25/x%20y"), ("y%41", "http://a:81/p/y%41"),
    ("//b/ü%20%zz?a[]=%5B", "http://b/%C3%BC%20%25zz?a%5B%5D=%5B"), ("HTTP://b", "HTTP://b"),
    ("http://[::1]:82/ü%20", "http://[::1]:82/%C3%BC%20"),
  ])
  func `a redirect's location is resolved against the request's URL`(location: String, expected: String) throws {
    let followed = try #require(next(302, location, HTTPRequest(.get, url("http://a:81/p/x?old=1"))).request)
    #expect(followed.url.absoluteString == expected)
  }

  @Test func `a redirect's location with only a fragment is the same URL`() throws {
    let post = HTTPRequest(.post, url("http://a:81/p/x?old=1#here"))
    let followed = try #require(next(303, "#done", post).request)
    #expect(followed.url.absoluteString == "http://a:81/p/x?old=1")
    #expect(followed.method == .get)
    #expect(next(302, "#done", HTTPRequest(.get, url("http://a:81/p/x?old=1"))).failure == .loop)
  }

  @Test(arguments: [
    ("http://a/y", true), ("http://A:80/y", true), ("http://a:81/y", false), ("http://b/y", false),
    ("https://a/y", false),
    ("http://a.b/y", false),
  ])
  func `credentials and cookies are sent on only to their own origin`(location: String, isKept: Bool) throws {
    let headers: HTTPHeaders = [
      "Authorization": "s", "Cookie": "s", "Proxy-Authorization": "s", "X-API-Key": "s", "X-Mine": "s", "Host": "a",
      "Accept": "kept",
    ]
    let request = HTTPRequest(.get, url("http://a/x"), headers: headers)
    let followed = try #require(next(302, location, request, redacted: ["x-mine"]).request)
    #expect(followed.headers.count == (isKept ? 7 : 1))
    #expect(followed.headers["Accept"] == "kept")
  }

  @Test func `a redirect from https to http is refused, from http to https it is followed`() throws {
    #expect(next(302, "http://a/", HTTPRequest(.get, url("https://a/"))).failure == .downgrade)
    #expect(next(302, "https://a/", HTTPRequest(.get, url("http://a/"))).request != nil)
  }

  @Test func `a redirect cycle and a chain that is too long end with a failure`() throws {
    var follower = RedirectFollower(.follow(limit: 3), redactor: .standard)
    var request = HTTPRequest(.get, url("http://a/0"))
    for step in 1...3 {
      let head = ResponseHead(status: 302, headers: ["Location": "/\(step)"])
      request = try #require(follower.next(after: head, to: request).request)
    }
    #expect(follower.redirects.map(\.to.path) == ["/1", "/2", "/3"])
    let fourth = ResponseHead(status: 302, headers: ["Location": "/4"])
    #expect(follower.next(after: fourth, to: request).failure == .tooMany(limit: 3))
    #expect(next(302, "/x", HTTPRequest(.get, url("http://a/x"))).failure == .loop)
  }

  @Test func `a changed redirect is subject to the same rules`() throws {
    let head = ResponseHead(status: 307, headers: ["Location": "/y"])
    func changed(_ from: String, _ change: (inout HTTPRequest) -> Void) -> RedirectFollower.Decision {
      var follower = RedirectFollower(.follow, redactor: .standard)
      return follower.next(after: head, to: HTTPRequest(.get, url(from), headers: ["Authorization": "s"]), change)
    }
    #expect(changed("http://a/x") { $0.url = url("http://a/z") }.request?.headers["Authorization"] == "s")
    #expect(changed("http://a/x") { $0.url = url("http://b/z") }.request?.headers["Authorization"] == nil)
    #expect(changed("https://a/x") { $0.url = url("http://a/z") }.failure == .downgrade)
    #expect(changed("http://a/x") { $0.url = url("http://a/x") }.failure == .loop)
    let body = RequestBody(.data(Data("x".utf8)), isOneShot: true)
    #expect(changed("http://a/x") { $0.body = body }.failure == .bodyNotReplayable)
  }

  @Test func `credentials that were dropped cannot be restored, not even by a later redirect`() throws {
    var follower = RedirectFollower(.follow, redactor: .standard)
    let restore: (inout HTTPRequest) -> Void = { $0.headers["Authorization"] = "s" }
    var request = HTTPRequest(.get, url("http://a/1"), headers: ["Authorization": "s"])
    request.options.cacheIdentity = "me"
    for location in ["http://b/2", "http://b/3", "http://a/4"] {
      let head = ResponseHead(status: 302, headers: ["Location": location])
      request = try #require(follower.next(after: head, to: request, restore).request)
      #expect(request.headers["Authorization"] == nil)
      #expect(request.options.cacheIdentity == nil)
    }
    #expect(follower.redirects.count == 3)
  }

  @Test func `a one-shot body is not sent again after a redirect`() throws {
    let body = RequestBody(.data(Data("x".utf8)), isOneShot: true)
    let request = HTTPRequest(.post, url("http://a/x"), body: body)
    #expect(next(307, "/y", request).failure == .bodyNotReplayable)
    #expect(next(303, "/y", request).request?.body.isEmpty == true)
  }
}

extension RedirectFollower {
  /// Follows the redirect unless a handler changes it.
  fileprivate mutating func next(
    after head: ResponseHead, to request: HTTPRequest, _ change: (inout HTTPRequest) -> Void = { _ in }
  ) -> Decision {
    let decision = decide(after: head, to: request)
    guard case .follow(var next) = decision else { return decision }
    change(&next)
    return follow(next, after: head.status, to: request)
  }
}

extension RedirectFollower.Decision {
  var request: HTTPRequest? { if case .follow(let request) = self { request } else { nil } }
  var failure: RedirectFailure? { if case .fail(let failure) = self { failure } else { nil } }
  var isDelivery: Bool { if case .deliver = self { true } else { false } }
}
