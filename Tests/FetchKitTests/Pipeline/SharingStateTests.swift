import Testing

@testable import FetchKit

@Suite struct SharingStateTests {
  private typealias State = SharingState<String, Int, Int>

  @Test func `the first caller starts the work, callers during it share it, and later ones start again`() {
    var state = State()
    let (first, startsFirst) = state.join("a", until: nil, 1)
    let (_, startsSecond) = state.join("a", until: nil, 2)
    let (other, startsOther) = state.join("b", until: nil, 3)
    #expect([startsFirst, startsSecond, startsOther] == [true, false, true])
    #expect(state.started(first, 7) == nil)
    #expect(state.count == 2)
    #expect(state.finish(first).sorted() == [1, 2])
    #expect(state.join("a", until: nil, 4).isFirst)
    #expect(state.finish(other) == [3])
  }

  @Test func `the last caller to leave receives the handle, and an abandoned group is not joined`() {
    var state = State()
    let (first, _) = state.join("a", until: nil, 1)
    let (second, _) = state.join("a", until: nil, 2)
    #expect(state.started(first, 7) == nil)
    let left = state.leave(first)
    #expect(left.waiter == 1)
    #expect(left.handle == nil)
    let last = state.leave(second)
    #expect(last.waiter == 2)
    #expect(last.handle == 7)
    #expect(state.leave(second).waiter == nil)
    let (third, isFirst) = state.join("a", until: nil, 3)
    #expect(isFirst)
    // The work of the first group ends late: its result does not reach the new one.
    #expect(state.finish(first).isEmpty)
    #expect(state.finish(third) == [3])
    #expect(state.isEmpty)
  }

  @Test func `work that all callers left before it started is cancelled as soon as it starts`() {
    var state = State()
    let (first, _) = state.join("a", until: nil, 1)
    _ = state.leave(first)
    #expect(state.started(first, 7) == 7)
  }

  @Test func `shared work may take as long as the caller with the latest timeout waits`() {
    var state = State()
    let (first, _) = state.join("a", until: .seconds(5), 1)
    #expect(state.end(first) == .seconds(5))
    let (second, _) = state.join("a", until: .seconds(9), 2)
    #expect(state.end(first) == .seconds(9))
    let (third, _) = state.join("a", until: nil, 3)
    #expect(state.end(first) == nil)
    _ = state.leave(third)
    _ = state.leave(second)
    #expect(state.end(first) == .seconds(5))
    _ = state.leave(first)
    #expect(state.end(first) == .zero)
  }
}
