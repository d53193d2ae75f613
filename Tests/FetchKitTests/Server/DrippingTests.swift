import FetchKit
import Foundation
import Testing

@testable import FetchKitTesting

@Suite(.timeLimit(.minutes(10))) struct DrippingTests {
  /// What a connection does, one word for each piece, wait, gate and end.
  private func words(_ steps: [SendStep]) -> [String] {
    steps.flatMap { step -> [String] in
      switch step {
      case .send(let data): data.isEmpty ? [] : ["\(data.count)"]
      case .sendRepeated(let data, let count): data.isEmpty ? [] : Array(repeating: "\(data.count)", count: count)
      case .steps(let steps, let count): Array(repeating: words(steps), count: count).flatMap { $0 }
      case .wait: ["wait"]
      case .hold: ["hold"]
      case .end(let way): ["\(way)"]
      case .openSocket: ["socket"]
      }
    }
  }

  private func words(_ response: LoopbackResponse, _ bytes: Int) -> [String] {
    words(response.dripping(bytes: bytes, every: .seconds(1)).steps(for: nil))
  }

  private let repeated = LoopbackResponse(body: .repeated(Data("ab".utf8), count: 3))

  @Test func `a throttled response waits between its pieces and not after the last one`() {
    let head = words(LoopbackResponse(status: 204), 1000)
    #expect(head.count == 1 && head != ["wait"])
    #expect(words(.text("hello"), 1000).dropFirst() == ["wait", "5"])
    #expect(words(.text("hello"), 1000).first != "wait")
    #expect(
      words(.text(String(repeating: "x", count: 2500)), 1000).dropFirst() == [
        "wait", "1000", "wait", "1000", "wait", "500",
      ])
    #expect(words(repeated, 1000).dropFirst() == ["wait", "2", "wait", "2", "wait", "2"])
    #expect(words(LoopbackResponse(body: .repeated(Data("abc".utf8), count: 1)), 1000).dropFirst() == ["wait", "3"])
    #expect(words(LoopbackResponse(body: .repeated(Data("abc".utf8), count: 0)), 1000).count == 1)
    #expect(words(repeated.chunked(), 1000).dropFirst() == ["wait", "7", "wait", "7", "wait", "7", "wait", "5"])
    #expect(words(.raw("HTTP/1.1 200 OK\r\n\r\n"), 1000) == ["19", "close"])
  }

  @Test func `a throttled response that is cut or closed ends right after its last piece`() {
    #expect(words(LoopbackResponse.text("hello").closing(), 1000).dropFirst() == ["wait", "5", "close"])
    let cut = LoopbackResponse.text("hello").cut(after: .body(bytes: 2), by: .reset)
    #expect(words(cut, 1000).dropFirst() == ["wait", "2", "reset"])
    #expect(words(repeated.cut(after: .body(bytes: 4)), 1000).dropFirst() == ["wait", "2", "wait", "2", "close"])
    #expect(words(LoopbackResponse.text("hello").cut(after: .start), 1000) == ["close"])
    let gate = LoopbackGate()
    let held = LoopbackResponse.text("hello").held(at: gate, after: .body(bytes: 2))
    #expect(words(held, 1000).dropFirst() == ["wait", "2", "wait", "hold", "3"])
    let last = LoopbackResponse.text("hello").held(at: gate, after: .body(bytes: 5))
    #expect(words(last, 1000).dropFirst() == ["wait", "5", "hold"])
  }

  @Test func `the next request on a connection is answered as soon as a throttled response has been sent`() async throws
  {
    let server = try LoopbackServer()
    server.on("/drip", LoopbackResponse(status: 204).dripping(bytes: 1000, every: .seconds(20)))
    server.on("/last", .text("last"))
    let client = try RawClient(port: server.port)
    let start = ContinuousClock.now
    client.send("GET /drip HTTP/1.1\r\n\r\nGET /last HTTP/1.1\r\nConnection: close\r\n\r\n")
    let text = await client.readToEnd()
    #expect(text.hasPrefix("HTTP/1.1 204") && text.hasSuffix("last"), "\(text)")
    #expect(ContinuousClock.now - start < .seconds(20))
  }
}
