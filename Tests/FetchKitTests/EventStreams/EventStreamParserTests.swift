import Foundation
import LarderTestSupport
import Testing

@testable import FetchKit

@Suite struct EventStreamParserTests {
  struct Row: CustomTestStringConvertible, Sendable {
    var text: String
    var events: [ServerSentEvent]

    var testDescription: String { "\(text.debugDescription)" }
  }

  private static func event(_ data: String, _ type: String = "message", id: String = "") -> ServerSentEvent {
    ServerSentEvent(type: type, data: data, lastEventID: id)
  }

  static let rows: [Row] = [
    Row(text: "data: a\n\n", events: [event("a")]),
    Row(text: "data:a\n\n", events: [event("a")]),
    Row(text: "data:  a\n\n", events: [event(" a")]),
    Row(text: "data: a\r\n\r\ndata: b\r\rdata: c\n\r\n", events: [event("a"), event("b"), event("c")]),
    Row(text: "data: a\ndata: b\n\n", events: [event("a\nb")]),
    Row(text: "data\n\ndata\ndata\n\ndata:", events: [event(""), event("\n")]),
    Row(text: "data: a", events: []),
    Row(text: "data: a\n", events: []),
    Row(text: ": comment\n\ndata: a\n:\n\n", events: [event("a")]),
    Row(text: "event: add\ndata: 1\n\ndata: 2\n\n", events: [event("1", "add"), event("2")]),
    Row(text: "event: add\n\ndata: 2\n\n", events: [event("2")]),
    Row(
      text: "id: 1\ndata: a\n\ndata: b\n\nid\ndata: c\n\n",
      events: [event("a", id: "1"), event("b", id: "1"), event("c")]),
    Row(text: "id: 1\n\ndata: a\n\n", events: [event("a", id: "1")]),
    Row(text: "id: a\u{0}b\ndata: a\n\n", events: [event("a")]),
    Row(text: "\u{FEFF}data: a\n\n", events: [event("a")]),
    Row(text: "\u{FEFF}\u{FEFF}data: a\n\n", events: []),
    Row(text: "data: a\n\n\u{FEFF}data: b\n\n", events: [event("a")]),
    Row(text: "Data: a\ndata : b\n data: c\nother: d\n\n", events: []),
    Row(text: "data: a:b: c\n\n", events: [event("a:b: c")]),
    Row(text: "data: äöü 🎬\n\n", events: [event("äöü 🎬")]),
    Row(text: "\n\n\r\n\r\ndata: a\n\n\n\n", events: [event("a")]),
  ]

  @Test(arguments: rows) func `events are parsed as the standard specifies, however the bytes are split`(row: Row) {
    let bytes = Array(row.text.utf8)
    var whole = EventStreamParser()
    #expect(whole.events(in: Data(bytes)) == row.events)
    var single = EventStreamParser()
    #expect(bytes.flatMap { single.events(in: Data([$0])) } == row.events)
    for cut in 0...bytes.count {
      var parser = EventStreamParser()
      let events =
        parser.events(in: Data(bytes[..<cut])) + parser.events(in: Data()) + parser.events(in: Data(bytes[cut...]))
      #expect(events == row.events, "split at \(cut)")
    }
  }

  @Test(arguments: [
    ("retry: 150", 150), ("retry:150", 150), ("retry: 0", 100), ("retry: 5x", 0), ("retry: -1", 0), ("retry:", 0),
    ("retry", 0),
    ("retry: 99999999999999999999999", 3_600_000),
  ])
  func `the retry field is a number of milliseconds`(line: String, milliseconds: Int) {
    var parser = EventStreamParser()
    _ = parser.events(in: Data((line + "\n").utf8))
    #expect(parser.retry == .milliseconds(milliseconds))
  }

  @Test func `a new connection keeps the last id and the retry time, and discards a partial event`() {
    var parser = EventStreamParser()
    _ = parser.events(in: Data("id: 7\nretry: 109\n\nid: 8\ndata: half\r".utf8))
    parser.restart()
    #expect(parser.events(in: Data("\ndata: b\n\n".utf8)) == [Self.event("b", id: "7")])
    #expect(parser.lastEventID == "7")
    #expect(parser.retry == .milliseconds(109))
  }

  @Test func `the event parser replaces invalid UTF-8 and accepts any bytes`() {
    var parser = EventStreamParser()
    #expect(parser.events(in: Data("data: ".utf8) + [0xFF, 0x0A, 0x0A]) == [Self.event("\u{FFFD}")])
    var random = SplitMix.printed()
    let alphabet = Array("data:id: retry:event\n\r\n\r\n\n".utf8) + [0, 0xEF, 0xBB, 0xBF, 0xFF]
    for _ in 0..<2000 {
      let bytes = (0..<Int.random(in: 0..<120, using: &random)).map { _ in alphabet.randomElement(using: &random) ?? 0 }
      var whole = EventStreamParser()
      var parts = EventStreamParser()
      let expected = whole.events(in: Data(bytes))
      var rest = bytes[...]
      var events: [ServerSentEvent] = []
      while !rest.isEmpty {
        let count = Int.random(in: 1...rest.count, using: &random)
        events += parts.events(in: Data(rest.prefix(count)))
        rest = rest.dropFirst(count)
      }
      #expect(events == expected)
    }
  }
}
