import Testing

@testable import FetchKit

/// Time drawn as text: one character is a tick. First the inputs, then the inputs whose search begins, and when.
///
/// An `!` in the inputs cancels.
@Suite struct LatestStateTests {
  func draw(_ inputs: String, _ pace: SearchTiming) -> String {
    var state = LatestState(pace)
    var waiting: (input: Character, number: Int, due: Int)?
    var drawn = ""
    for (tick, input) in inputs.enumerated() {
      let now = Duration.seconds(tick)
      var begun: Character = "-"
      func begin() {
        guard let (input, number, due) = waiting, due <= tick else { return }
        waiting = nil
        if state.begin(number, at: now) { begun = input }
      }
      begin()
      if input == "!" { state.cancel() }
      if input.isLetter {
        let (number, wait) = state.submit(at: now)
        waiting = (input, number, tick + Int(wait.components.seconds))
        begin()
      }
      drawn.append(begun)
    }
    return drawn
  }

  @Test func `immediate timing searches every input`() {
    #expect(draw("ab--c-d", .immediate) == "ab--c-d")
  }

  @Test func `debounce waits for a pause and searches only the last input before it`() {
    #expect(draw("abc-----d----", .debounce(.seconds(3))) == "-----c-----d-")
    #expect(draw("a-b-c-d-e----", .debounce(.seconds(3))) == "-----------e-")
    #expect(draw("a--b--c------", .debounce(.seconds(3))) == "---a--b--c---")
  }

  @Test func `throttle searches immediately, then at most once per interval, with the last input`() {
    #expect(draw("abcdefgh-----", .throttle(.seconds(3))) == "a--c--f--h---")
    #expect(draw("a-----b------", .throttle(.seconds(3))) == "a-----b------")
    #expect(draw("ab-----------", .throttle(.seconds(3))) == "a--b---------")
  }

  @Test func `a cancel ends the wait for a search`() {
    #expect(draw("ab!-----c----", .debounce(.seconds(3))) == "-----------c-")
    #expect(draw("ab!-c--------", .throttle(.seconds(3))) == "a---c--------")
  }

  @Test func `a negative search interval counts as zero`() {
    #expect(draw("a-b", .debounce(.seconds(-3))) == "a-b")
    #expect(draw("a-b", .throttle(.seconds(-3))) == "a-b")
  }

  @Test func `only the latest result is delivered, and once`() {
    var state = LatestState(.immediate)
    let (first, _) = state.submit(at: .zero)
    let firstBegins = state.begin(first, at: .zero)
    let (second, _) = state.submit(at: .zero)
    let (firstBeginsLate, firstIsDelivered) = (state.begin(first, at: .zero), state.deliver(first))
    let secondBegins = state.begin(second, at: .zero)
    let (isDelivered, isDeliveredTwice) = (state.deliver(second), state.deliver(second))
    #expect(firstBegins && secondBegins && isDelivered)
    #expect(!firstBeginsLate && !firstIsDelivered && !isDeliveredTwice)
    let (third, _) = state.submit(at: .zero)
    state.cancel()
    let isDeliveredAfterCancel = state.deliver(third)
    #expect(!isDeliveredAfterCancel)
  }
}
