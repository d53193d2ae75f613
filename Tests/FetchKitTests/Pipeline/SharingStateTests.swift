import Testing

@testable import FetchKit

@Suite struct SharingStateTests {
  private typealias State = SharingState<String, String, Int, Int>

  @Test func `the first caller starts the work, callers during it share it, and later ones start again`() {
    var state = State()
    let (first, startsFirst) = state.join("a", until: nil)
    let (second, startsSecond) = state.join("a", until: nil)
    let (other, startsOther) = state.join("b", until: nil)
    #expect([startsFirst, startsSecond, startsOther] == [true, false, true])
    #expect(state.started(first, 7) == nil)
    #expect(state.wait(second, 2) == nil)
    #expect(state.count == 2)
    #expect(state.finish(first, "done") == [2])
    // The first did not wait yet when it ended.
    #expect(state.wait(first, 1) == "done")
    #expect(state.join("a", until: nil).isFirst)
    #expect(state.finish(other, "else").isEmpty)
    #expect(state.wait(other, 3) == "else")
  }

  @Test func `the last caller to leave receives the handle, and an abandoned group is not joined`() {
    var state = State()
    let (first, _) = state.join("a", until: nil)
    let (second, _) = state.join("a", until: nil)
    #expect(state.started(first, 7) == nil)
    #expect(state.wait(first, 1) == nil)
    let left = state.leave(first, "gone")
    #expect(left.waiter == 1)
    #expect(left.handle == nil)
    let last = state.leave(second, "gone")
    #expect(last.waiter == nil)
    #expect(last.handle == 7)
    #expect(state.wait(second, 2) == "gone")
    let (third, isFirst) = state.join("a", until: nil)
    #expect(isFirst)
    // The work of the first group ends late: its result does not reach the new one.
    #expect(state.finish(first, "late").isEmpty)
    #expect(state.wait(third, 3) == nil)
    #expect(state.finish(third, "own") == [3])
    #expect(state.isEmpty)
  }

  @Test func `work that all callers left before it started is cancelled as soon as it starts`() {
    var state = State()
    let (first, _) = state.join("a", until: nil)
    _ = state.leave(first, "gone")
    #expect(state.started(first, 7) == 7)
  }

  @Test func `shared work may take as long as the caller with the latest timeout waits`() {
    var state = State()
    let (first, _) = state.join("a", until: .seconds(5))
    #expect(state.end(first) == .seconds(5))
    let (second, _) = state.join("a", until: .seconds(9))
    #expect(state.end(first) == .seconds(9))
    let (third, _) = state.join("a", until: nil)
    #expect(state.end(first) == nil)
    _ = state.leave(third, "gone")
    _ = state.leave(second, "gone")
    #expect(state.end(first) == .seconds(5))
    _ = state.leave(first, "gone")
    #expect(state.end(first) == .zero)
  }
}
