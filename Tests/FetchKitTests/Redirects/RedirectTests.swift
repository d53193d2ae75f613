import FetchKit
import FetchKitTesting
import Foundation
import Testing

@Suite(.timeLimit(.minutes(10))) struct RedirectTests {
  let server: LoopbackServer
  let other: LoopbackServer
  let client = FetchClient()

  init() throws {
    server = try LoopbackServer()
    other = try LoopbackServer()
    for each in [server, other] {
      each.on("/end") { .text("\($0.method) \(String(decoding: $0.body, as: UTF8.self))") }
    }
  }

  @Test func `a redirect chain is followed and each redirect reported`() async throws {
    server.on("/a", .redirect(301, to: "b"))
    server.on("/b", .redirect(307, to: "/end"))
    let response = try await client.fetch(server.url.appending(path: "a"), .response)
    #expect(String(decoding: response.body, as: UTF8.self) == "GET ")
    #expect(response.redirects.map(\.status) == [301, 307])
    #expect(response.url == server.url.appending(path: "end"))
    #expect(response.attempts.count == 1)
  }

  @Test func `a 307 sends the body again, a 303 does not`() async throws {
    server.on("/keep", .redirect(307, to: "/end"))
    server.on("/drop", .redirect(303, to: "/end"))
    let body = RequestBody.data(Data("body".utf8))
    let kept = try await client.fetch(HTTPRequest(.post, server.url.appending(path: "keep"), body: body), .string)
    let dropped = try await client.fetch(HTTPRequest(.post, server.url.appending(path: "drop"), body: body), .string)
    #expect(kept == "POST body")
    #expect(dropped == "GET ")
  }

  @Test func `a redirect to another origin carries no credentials, not even the client's own`() async throws {
    server.on("/away", .redirect(302, to: other.url.appending(path: "end").absoluteString))
    let client = FetchClient {
      $0.headers = ["Authorization": "Bearer s3cret", "Accept": "text/plain"]
      $0.redactedHeaders = ["X-Mine"]
    }
    let headers: HTTPHeaders = ["Cookie": "a=s3cret", "X-Mine": "s3cret", "X-API-Key": "s3cret"]
    _ = try await client.fetch(HTTPRequest(.get, server.url.appending(path: "away"), headers: headers), .void)
    #expect(server.requests[0].headers.filter { $0.value.contains("s3cret") }.count == 4)
    #expect(other.requests[0].headers["Accept"] == "text/plain")
    #expect(!other.requests[0].headers.contains { $0.value.contains("s3cret") })
  }

  @Test func `user and password in a URL are sent to their origin as Basic credentials, and nowhere else`() async throws
  {
    server.on("/away", .redirect(302, to: other.url.appending(path: "end").absoluteString))
    var parts = try #require(URLComponents(url: server.url.appending(path: "away"), resolvingAgainstBaseURL: false))
    parts.user = "user"
    parts.password = "pass"
    _ = try await client.fetch(try #require(parts.url), .void)
    #expect(server.requests[0].headers["Authorization"] == "Basic dXNlcjpwYXNz")
    #expect(other.requests[0].headers["Authorization"] == nil)
  }

  @Test func `redirect cycles and chains that are too long each have their own error`() async throws {
    server.on("/circle", .redirect(302, to: "/circle"))
    server.on("/n/{n}") { .redirect(302, to: "/n/\((Int($0.parameters["n"] ?? "") ?? 0) + 1)") }
    for (path, fault) in [("circle", RedirectFailure.loop), ("n/0", .tooMany(limit: 10))] {
      do throws(FetchError) {
        _ = try await client.fetch(server.url.appending(path: path), .void)
        Issue.record("\(path) did not throw")
      } catch {
        guard case .redirect(fault, _) = error else {
          Issue.record("\(error)")
          continue
        }
      }
    }
  }

  @Test func `a redirect handler follows, changes and refuses redirects`() async throws {
    for path in ["follow", "change", "refuse"] { server.on("/\(path)", .redirect(302, to: "/end?\(path)")) }
    let client = FetchClient {
      $0.acceptableStatusCodes = 200..<400
      $0.redirectHandler = { redirect, next in
        await Task.yield()
        #expect(redirect.status == 302 && redirect.to == next.url)
        switch redirect.from.lastPathComponent {
        case "refuse": return nil
        case "change":
          var next = next
          next.headers["X-Changed"] = "yes"
          return next
        default: return next
        }
      }
    }
    for (path, status) in [("follow", 200), ("change", 200), ("refuse", 302)] {
      let response = try await client.fetch(server.url.appending(path: path), .response)
      #expect(response.status == status)
      #expect(response.redirects.count == (status == 200 ? 1 : 0))
    }
    #expect(server.requests.map(\.target) == ["/follow", "/end?follow", "/change", "/end?change", "/refuse"])
    #expect(server.requests[3].headers["X-Changed"] == "yes")
  }

  @Test func `a redirect handler cannot restore credentials at another origin`() async throws {
    server.on("/away", .redirect(302, to: other.url.appending(path: "end").absoluteString))
    let client = FetchClient {
      $0.redirectHandler = { _, next in
        var next = next
        next.headers["Authorization"] = "Bearer s3cret"
        return next
      }
    }
    let url = server.url.appending(path: "away")
    try await client.fetch(HTTPRequest(.get, url, headers: ["Authorization": "Bearer s3cret"]), .void)
    #expect(server.requests[0].headers["Authorization"] != nil && other.requests[0].headers["Authorization"] == nil)
  }

  @Test func `a redirect handler cannot make an authenticator's field go to another origin`() async throws {
    server.on("/first", .redirect(302, to: "/second"))
    server.on("/second", .redirect(302, to: other.url.appending(path: "end").absoluteString))
    let keys = Authenticator<String>(
      current: "s3cret", apply: { $1.headers["X-Our-Key"] = $0 }, refresh: { _ in throw CancellationError() })
    let client = FetchClient {
      $0.interceptors = [keys]
      // A request of its own, which does not know that the field is secret.
      $0.redirectHandler = { _, next in
        var new = HTTPRequest(next.method, next.url)
        for field in next.headers { new.headers.append(field.value, for: field.name) }
        return new
      }
    }
    let response = try await client.fetch(server.url.appending(path: "first"), .response)
    #expect(response.redirects.count == 2)
    #expect(server.requests.map { $0.headers["X-Our-Key"] } == ["s3cret", "s3cret"])
    #expect(other.requests.map { $0.headers["X-Our-Key"] } == [nil])
  }

  @Test func `a redirect handler that hangs ends with the total timeout, and with cancellation`() async throws {
    server.on("/a", .redirect(302, to: "/end"))
    let clock = ManualClock()
    let (isAsked, asks) = AsyncStream<Void>.makeStream()
    let client = FetchClient {
      $0.clock = clock
      $0.timeouts = Timeouts(connect: nil, idle: nil, total: .seconds(5))
      $0.redirectHandler = { _, next in
        asks.yield()
        try? await Task.sleep(for: .seconds(1000))
        return next
      }
    }
    var asked = isAsked.makeAsyncIterator()
    for isCancelled in [false, true] {
      let fetch = Task { [url = server.url.appending(path: "a")] in try await client.fetch(url, .void) }
      await asked.next()
      if isCancelled {
        fetch.cancel()
      } else {
        await clock.sleepers(atLeast: 1)
        clock.advance(by: .seconds(5))
      }
      let error = await #expect(throws: FetchError.self) { try await fetch.value }
      switch error {
      case .cancelled where isCancelled, .timeout(.total, _) where !isCancelled: break
      default: Issue.record("\(String(describing: error))")
      }
    }
    #expect(server.requests.count == 2)
  }

  @Test func `with redirects ignored the redirect is the response`() async throws {
    server.on("/a", .redirect(302, to: "/end"))
    var request = HTTPRequest(.get, server.url.appending(path: "a"))
    request.options.redirects = .ignore
    request.options.acceptableStatusCodes = 300..<400
    #expect(try await client.fetch(request, .response).status == 302)
    #expect(server.requests.count == 1)
  }
}
