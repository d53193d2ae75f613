import FetchKit
import FetchKitTesting
import Foundation
import Testing

@Suite(.timeLimit(.minutes(10))) struct ConditionalFetchTests {
  let server: LoopbackServer
  let client = FetchClient()

  init() throws {
    server = try LoopbackServer()
  }

  @Test func `a 304 reports no change and updates the version`() async throws {
    server.on("/movie") { request in
      if request.headers["If-None-Match"] == #"W/"1""# {
        return .status(304, headers: ["ETag": #"W/"1b""#])
      }
      var response = LoopbackResponse.text("Fargo")
      response.headers["ETag"] = #"W/"1""#
      response.headers["Last-Modified"] = "Sat, 21 Nov 2026 10:00:00 GMT"
      return response
    }
    let url = server.url.appending(path: "movie")
    let first = try await client.fetch(url, .string, ifChangedFrom: nil)
    guard case .changed("Fargo", let version) = first else {
      Issue.record("\(first)")
      return
    }
    #expect(version.entityTag == #"W/"1""#)
    let second = try await client.fetch(url, .string, ifChangedFrom: version)
    #expect(second.change == .unchanged)
    #expect(second.version.entityTag == #"W/"1b""#)
    #expect(second.version.digest == version.digest)
    #expect(server.requests[1].headers["If-Modified-Since"] == "Sat, 21 Nov 2026 10:00:00 GMT")
  }

  @Test func `without validators the digest decides, and an equal body is not decoded again`() async throws {
    server.on("/movie", .text("Fargo"), .text("Fargo"), .text("Fargo 2"))
    let url = server.url.appending(path: "movie")
    let asked = Events()
    let strategy = ExtractionStrategy { response in
      Task { await asked.add() }
      return response.body.count
    }
    let first = try await client.fetch(url, strategy, ifChangedFrom: nil)
    #expect(first == .changed(5, ResourceVersion(digest: first.version.digest)))
    #expect(try await client.fetch(url, strategy, ifChangedFrom: first.version).change == .unchanged)
    guard case .changed(7, _) = try await client.fetch(url, strategy, ifChangedFrom: first.version) else {
      Issue.record("unchanged")
      return
    }
  }

  @Test func `a new entity tag for the same bytes is not a change`() async throws {
    server.on("/movie") { _ in
      var response = LoopbackResponse.text("Fargo")
      response.headers["ETag"] = "\"\(UInt64.random(in: 0 ... .max))\""
      return response
    }
    let url = server.url.appending(path: "movie")
    let first = try await client.fetch(url, .string, ifChangedFrom: nil)
    let second = try await client.fetch(url, .string, ifChangedFrom: first.version)
    #expect(second.change == .unchanged)
    #expect(second.version.entityTag != first.version.entityTag)
  }

  @Test func `a 304 to a request without conditions is an error`() async throws {
    server.on("/movie", .status(304))
    await #expect(throws: FetchError.self) {
      try await client.fetch(server.url.appending(path: "movie"), .string, ifChangedFrom: nil)
    }
  }

  @Test func `a condition that the request already has is left unchanged`() async throws {
    server.on("/movie", .text("Fargo"))
    let request = HTTPRequest(.get, server.url.appending(path: "movie"), headers: ["if-none-match": "\"own\""])
    let version = ResourceVersion(entityTag: "\"kept\"", digest: "")
    _ = try await client.fetch(request, .string, ifChangedFrom: version)
    #expect(server.requests[0].headers.values(for: "If-None-Match") == ["\"own\""])
  }

  @Test func `a refresh with conditional fetches reports what changed`() async throws {
    server.on("/movie/{id}") { request in
      let id = request.parameters["id"] ?? ""
      if id == "3" { return .status(500) }
      let tag = id == "2" ? "\"new\"" : "\"old\""
      if request.headers["If-None-Match"] == tag { return .status(304) }
      return LoopbackResponse(headers: ["ETag": tag], body: .data(Data(id.utf8)))
    }
    let known = ResourceVersion(entityTag: "\"old\"", digest: "")
    let report = await Refresh().run([1, 2, 3]) { [client, server] id in
      try await client.fetch(server.url.appending(path: "movie/\(id)"), .string, ifChangedFrom: known).change
    }
    #expect((report.changed, report.unchanged, report.failed) == (1, 1, 1))
    #expect(report.result == .newData)
  }
}
