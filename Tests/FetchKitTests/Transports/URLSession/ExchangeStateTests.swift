import Foundation
import Testing

@testable import FetchKit

/// Each row is a history: `h` head, `H` a head announcing too much, `d` ten bytes, `c` completed, `e` completed with an
/// error, `x` cancelled, `t` total timeout, `a` challenged, `r` completed with a head that was never announced, `o`
/// overflowed, `p` suspended.
@Suite struct ExchangeStateTests {
  @Test(arguments: [
    ("", "start"),
    ("hdc", "start deliver(10)"),
    ("hddc", "start deliver(20)"),
    ("hc", "start deliver(0)"),
    ("c", "start fail(malformed)"),
    ("e", "start fail(lost)"),
    ("hde", "start fail(lost)"),
    ("r", "start deliver(0)"),
    ("are", "start deliver(0)"),
    ("ahde", "start deliver(10)"),
    ("x", "start fail(cancelled) stop"),
    ("xhdc", "start fail(cancelled) stop"),
    ("hxddc", "start fail(cancelled) stop"),
    ("hdcx", "start deliver(10)"),
    ("hdct", "start deliver(10)"),
    ("ht", "start fail(total) stop"),
    ("htx", "start fail(total) stop"),
    ("tc", "start fail(total) stop"),
    ("H", "start fail(tooLarge) stop"),
    ("hddddd", "start"),
    ("hddddddc", "start fail(tooLarge) stop"),
    ("hhdc", "start deliver(10)"),
    ("hdcc", "start deliver(10)"),
    ("phdc", "start deliver(10)"),
  ])
  func `any history of a whole response ends once`(story: String, expected: String) {
    #expect(run(story, .whole) == expected)
  }

  @Test(arguments: [
    ("hdc", "start head chunk finish"),
    ("hde", "start head chunk finish(lost)"),
    ("hxdc", "start head finish(cancelled) stop"),
    ("hdcx", "start head chunk finish"),
    ("ht", "start head finish(total) stop"),
    ("hdoc", "start head chunk finish(tooLarge) stop"),
    ("hdco", "start head chunk finish"),
    ("r", "start head finish"),
    ("hhdc", "start head chunk finish"),
    ("hdpdc", "start head chunk chunk finish"),
    ("hdphdc", "start head chunk finish(lost) stop"),
    ("hdpchd", "start head chunk finish"),
    ("x", "start fail(cancelled) stop"),
    ("hdddddd", "start head chunk chunk chunk chunk chunk finish(tooLarge) stop"),
  ])
  func `any history of a streamed response ends once`(story: String, expected: String) {
    #expect(run(story, .stream) == expected)
  }

  @Test func `a cancel before the exchange begins wins`() {
    var state = ExchangeState(delivery: .whole, limits: ResponseLimits())
    #expect(state.cancel().isEmpty)
    #expect(describe(state.begin()) == "fail(cancelled)")
    #expect(state.begin().isEmpty)
    #expect(state.hasEnded)
  }

  @Test func `a response head beyond the limit is refused`() {
    var state = ExchangeState(delivery: .whole, limits: ResponseLimits(headers: 100))
    _ = state.begin()
    let head = ResponseHead(status: 200, headers: ["a": String(repeating: "x", count: 100)])
    #expect(describe(state.head(head, announced: nil)) == "fail(tooLarge) stop")
  }

  /// Every history of up to four events resumes the caller at most once and ends the body at most once.
  @Test func `no history of an exchange ends twice`() {
    let letters = Array("hdcextarop")
    var stories = [""]
    for _ in 0..<4 { stories = stories.flatMap { story in letters.map { story + String($0) } } }
    for story in stories {
      for delivery in [TransportRequest.Delivery.whole, .stream] {
        let words = run(story, delivery).split(separator: " ")
        let resumed = words.filter { $0.hasPrefix("deliver") || $0.hasPrefix("fail") || $0 == "head" }
        #expect(resumed.count <= 1, "\(story)")
        #expect(words.filter { $0.hasPrefix("finish") }.count <= 1, "\(story)")
        #expect(words.filter { $0 == "stop" }.count <= 1, "\(story)")
      }
    }
  }

  private func run(_ story: String, _ delivery: TransportRequest.Delivery) -> String {
    var state = ExchangeState(delivery: delivery, limits: ResponseLimits(body: 50))
    var actions = state.begin()
    let head = ResponseHead(status: 200)
    for event in story {
      switch event {
      case "h": actions += state.head(head, announced: nil)
      case "H": actions += state.head(head, announced: 51)
      case "d": actions += state.bytes(Data(count: 10))
      case "c": actions += state.completed(nil, lastHead: nil)
      case "e": actions += state.completed(.connection(.lost, detail: ""), lastHead: nil)
      case "r": actions += state.completed(nil, lastHead: head)
      case "x": actions += state.cancel()
      case "o": actions += state.end(.tooLarge(.body, limit: 50))
      case "t": actions += state.end(.timeout(.total))
      case "a": state.challenged()
      case "p": state.paused()
      default: break
      }
    }
    return describe(actions)
  }

  private func describe(_ actions: [ExchangeState.Action]) -> String {
    actions.compactMap { action -> String? in
      switch action {
      case .start: "start"
      case .deliver(_, let data): "deliver(\(data.count))"
      case .deliverHead: "head"
      case .chunk: "chunk"
      case .fail(let error): "fail(\(word(error)))"
      case .finishBody(nil): "finish"
      case .finishBody(let error?): "finish(\(word(error)))"
      case .stop: "stop"
      case .release: nil
      }
    }.joined(separator: " ")
  }

  private func word(_ error: TransportError) -> String {
    switch error {
    case .cancelled: "cancelled"
    case .timeout(let phase): "\(phase)"
    case .connection(let fault, _): "\(fault)"
    case .tooLarge: "tooLarge"
    case .malformedResponse: "malformed"
    default: "other"
    }
  }
}
