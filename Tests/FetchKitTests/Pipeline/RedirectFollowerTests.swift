import Foundation
import Testing

@testable import FetchKit

@Suite struct RedirectFollowerTests {
  private func url(_ text: String) -> URL { URL(string: text) ?? URL(filePath: "/invalid") }

  private func next(
    _ status: Int, _ location: String?, _ request: HTTPRequest, limit: Int = 10, redacted: Set<String> = []
  ) throws(RedirectFault) -> HTTPRequest? {
    var follower = RedirectFollower(.follow(limit: limit), redactor: Redactor(queryItems: [], headers: redacted))
    let headers: HTTPHeaders = location.map { ["Location": $0] } ?? [:]
    return try follower.next(after: ResponseHead(status: status, headers: headers), to: request)
  }

  /// RFC 9110 §15.4, with the change of POST to GET that everyone makes for 301 and 302.
  @Test(arguments: [
    (301, "POST", "GET", false), (302, "POST", "GET", false), (303, "POST", "GET", false), (307, "POST", "POST", true),
    (308, "POST", "POST", true), (301, "PUT", "PUT", true), (302, "PUT", "PUT", true), (303, "PUT", "GET", false),
    (307, "PUT", "PUT", true), (303, "DELETE", "GET", false), (302, "DELETE", "DELETE", true),
    (301, "GET", "GET", false), (303, "HEAD", "HEAD", false), (308, "PATCH", "PATCH", true),
  ])
  func `method and body`(status: Int, method: String, expected: String, keepsBody: Bool) throws {
    let hasBody = !["GET", "HEAD"].contains(method)
    let request = HTTPRequest(
      HTTPMethod(rawValue: method), url("http://a/x"), headers: ["Content-Type": "text/plain", "X": "y"],
      body: hasBody ? .data(Data("b".utf8)) : .none)
    let followed = try #require(try next(status, "/y", request))
    #expect(followed.method.rawValue == expected)
    #expect(followed.body.isEmpty == !keepsBody)
    #expect(followed.headers["X"] == "y")
    if hasBody { #expect((followed.headers["Content-Type"] != nil) == keepsBody) }
  }

  @Test(arguments: [200, 204, 300, 304, 305, 306, 404])
  func `other statuses are delivered`(status: Int) throws {
    #expect(try next(status, "/y", HTTPRequest(.get, url("http://a/x"))) == nil)
  }

  @Test func `a redirect without a location is delivered, one to nowhere is a fault`() throws {
    #expect(try next(302, nil, HTTPRequest(.get, url("http://a/x"))) == nil)
    for location in ["ftp://a/", "file:///etc/passwd", "javascript:alert(1)", "http://", "data:,x"] {
      #expect(throws: RedirectFault.invalidLocation) { try next(302, location, HTTPRequest(.get, url("http://a/x"))) }
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
  func `locations are resolved against the URL that was asked`(location: String, expected: String) throws {
    let followed = try #require(try next(302, location, HTTPRequest(.get, url("http://a:81/p/x?old=1"))))
    #expect(followed.url.absoluteString == expected)
  }

  @Test func `a location that is only a fragment is the same URL`() throws {
    let post = HTTPRequest(.post, url("http://a:81/p/x?old=1#here"))
    let followed = try #require(try next(303, "#done", post))
    #expect(followed.url.absoluteString == "http://a:81/p/x?old=1")
    #expect(followed.method == .get)
    #expect(throws: RedirectFault.loop) { try next(302, "#done", HTTPRequest(.get, url("http://a:81/p/x?old=1"))) }
  }

  @Test(arguments: [
    ("http://a/y", true), ("http://A:80/y", true), ("http://a:81/y", false), ("http://b/y", false),
    ("https://a/y", false),
    ("http://a.b/y", false),
  ])
  func `credentials and cookies stay with their origin`(location: String, isKept: Bool) throws {
    let headers: HTTPHeaders = [
      "Authorization": "s", "Cookie": "s", "Proxy-Authorization": "s", "X-API-Key": "s", "X-Mine": "s", "Host": "a",
      "Accept": "kept",
    ]
    let request = HTTPRequest(.get, url("http://a/x"), headers: headers)
    let followed = try #require(try next(302, location, request, redacted: ["x-mine"]))
    #expect(followed.headers.count == (isKept ? 7 : 1))
    #expect(followed.headers["Accept"] == "kept")
  }

  @Test func `https to http is refused, the other way is not`() throws {
    #expect(throws: RedirectFault.downgrade) { try next(302, "http://a/", HTTPRequest(.get, url("https://a/"))) }
    #expect(try next(302, "https://a/", HTTPRequest(.get, url("http://a/"))) != nil)
  }

  @Test func `circles and long chains end`() throws {
    var follower = RedirectFollower(.follow(limit: 3), redactor: .standard)
    var request = HTTPRequest(.get, url("http://a/0"))
    for step in 1...3 {
      let head = ResponseHead(status: 302, headers: ["Location": "/\(step)"])
      request = try #require(try follower.next(after: head, to: request))
    }
    #expect(follower.redirects.map(\.to.path) == ["/1", "/2", "/3"])
    let last = follower
    #expect(throws: RedirectFault.tooMany(limit: 3)) {
      var follower = last
      _ = try follower.next(after: ResponseHead(status: 302, headers: ["Location": "/4"]), to: request)
    }
    #expect(throws: RedirectFault.loop) { try next(302, "/x", HTTPRequest(.get, url("http://a/x"))) }
  }

  @Test func `a body that can be read once is not sent again`() throws {
    let body = RequestBody(.data(Data("x".utf8)), isOneShot: true)
    let request = HTTPRequest(.post, url("http://a/x"), body: body)
    #expect(throws: RedirectFault.bodyNotReplayable) { try next(307, "/y", request) }
    #expect(try next(303, "/y", request)?.body.isEmpty == true)
  }
}
