import FetchKit
import FetchKitTesting
import Foundation
import Testing

/// The cases of web-platform-tests' `eventsource/`, by their names there, through a client and a server.
///
/// Two differ: status code 503 is asked again, as ``ReconnectionPolicy`` says, and what belongs to browsers is left out
/// (origins, credentials, `readyState`).
@Suite(.timeLimit(.minutes(5))) struct EventStreamPlatformTests {
  private let server: LoopbackServer
  private let client = FetchClient { $0.clock = ManualClock() }
  private let url: URL

  init() throws {
    server = try LoopbackServer()
    url = server.url.appending(path: "events")
  }

  private func events(_ type: String, _ text: String) async throws -> [ServerSentEvent] {
    server.on("/events", LoopbackResponse(headers: ["Content-Type": type], body: .data(Data(text.utf8))))
    let policy = ReconnectionPolicy.never
    return try await client.events(url, reconnection: policy).reduce(into: []) { $0.append($1) }
  }

  private static let long = String(repeating: "x", count: 2048)

  @Test(arguments: [
    (
      "event-data", "data:msg\ndata:msg\n\n:\nother:msg\n\nother:msg\nData:data\n\ndata\n\ndata:end\n\n",
      ["msg\nmsg", "", "end"]
    ),
    ("format-bom", "\u{FEFF}data:1\n\n\u{FEFF}data:2\n\ndata:3\n\n", ["1", "3"]),
    ("format-bom-2", "\u{FEFF}\u{FEFF}data:1\n\ndata:2\n\ndata:3\n\n", ["2", "3"]),
    ("format-comments", "data:1\r:\0\n:\r\ndata:2\n:\(long)\rdata:3\n:data:fail\r:\(long)\ndata:4\n\n", ["1\n2\n3\n4"]),
    ("format-data-before-final-empty-line", "retry:1000\ndata:1\n\nid:test\ndata:2", ["1"]),
    ("format-field-data", "data:\n\ndata\ndata\n\ndata:test", ["", "\n"]),
    (
      "format-field-parsing",
      "data:\0\ndata:  2\rData:1\ndata\0:2\ndata:1\r\0data:4\nda-ta:3\rdata_5\ndata:3\rdata:\r\n data:32\ndata:4\n\n",
      ["\0\n 2\n1\n3\n\n4"]
    ),
    ("format-field-retry", "retry:3000\ndata:x\n\n", ["x"]),
    ("format-field-retry-bogus", "retry:1000x\ndata:x\n\n", ["x"]),
    ("format-field-retry-empty", "retry\ndata:test\n\n", ["test"]),
    ("format-field-unknown", "data:test\n data\ndata\nother:xxx\nsometext\n:comment\ndata:test\n\n", ["test\n\ntest"]),
    ("format-leading-space", "data:\ttest\rdata: \ndata:test\n\n", ["\ttest\n\ntest"]),
    ("format-newlines", "data:test\r\ndata\ndata:test\r\n\r", ["test\n\ntest"]),
    ("format-null-character", "data:\0\n\n", ["\0"]),
    ("format-utf-8", "data:ok…\n\n", ["ok…"]),
  ]) func `data`(name: String, text: String, data: [String]) async throws {
    #expect(try await events("text/event-stream", text).map(\.data) == data)
    #expect(try await events("text/event-stream;charset=windows-1252", text).map(\.data) == data)
  }

  @Test(arguments: [
    ("format-field-event", "event:test\ndata:x\n\ndata:x\n\n", ["test", "message"]),
    ("format-field-event-empty", "event: \ndata:data\n\n", ["message"]),
  ]) func `types`(name: String, text: String, types: [String]) async throws {
    #expect(try await events("text/event-stream", text).map(\.type) == types)
  }

  @Test(arguments: [
    ("format-field-id", "id:…\ndata:hello\n\n", ["…"]), ("format-field-id-2", "id\ndata:hello\n\n", [""]),
    ("format-field-id-3 persists", "id: 1\ndata: 1\n\ndata:2\n\n", ["1", "1"]),
    ("format-field-id-3 changes and persists", "id: 1\ndata: 1\n\nid: 2\ndata:2\n\ndata:3\n\n", ["1", "2", "2"]),
    ("format-field-id-3 resets", "id: 1\ndata: 1\n\nid:\ndata:2\n\ndata:3\n\n", ["1", "", ""]),
    ("format-field-id-null", "id:\0\ndata:hello\n\nid:0\0\ndata:hello\n\n", ["", ""]),
  ]) func `ids`(name: String, text: String, ids: [String]) async throws {
    #expect(try await events("text/event-stream", text).map(\.lastEventID) == ids)
  }

  @Test(arguments: [
    ("format-mime-bogus", "x bogus", false), ("format-mime-trailing-semicolon", "text/event-stream;", true),
    ("format-mime-valid-bogus", "text/x-bogus", false),
  ]) func `content types`(name: String, type: String, isAccepted: Bool) async throws {
    let events = try? await events(type, "data:data\n\n")
    #expect(events?.map(\.data) == (isAccepted ? ["data"] : nil))
  }

  @Test(arguments: [204, 205, 210, 299, 404, 410]) func `request-status-error`(status: Int) async throws {
    server.on("/events", .status(status))
    var iterator = client.events(url).makeAsyncIterator()
    do throws(FetchError) {
      #expect(try await iterator.next() == nil)
      #expect(status == 204)
    } catch {
      #expect(status != 204)
    }
    #expect(server.requests.count == 1)
  }

  @Test(arguments: [301, 302, 303, 307]) func `request-redirect`(status: Int) async throws {
    server.on("/old", .redirect(status, to: "/events"))
    server.on(
      "/events", LoopbackResponse(headers: ["Content-Type": "text/event-stream"], body: .data(Data("data:a\n\n".utf8))))
    var iterator = client.events(server.url.appending(path: "old")).makeAsyncIterator()
    #expect(try await iterator.next()?.data == "a")
    let request = try #require(server.requests.last)
    // request-accept, request-cache-control
    #expect(request.headers["Accept"] == "text/event-stream" && request.headers["Cache-Control"] == "no-store")
  }
}
