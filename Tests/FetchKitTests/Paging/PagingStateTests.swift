import Foundation
import Testing

@testable import FetchKit

/// Time drawn as text: one character is a tick. The first line shows when each page is requested, the second when it is
/// delivered, `|` the end.
@Suite struct PagingStateTests {
  struct Drawing: Equatable {
    var asked: String
    var delivered: String
  }

  /// A server that takes `delay` ticks and has pages of those lengths, and a reader that uses each for `use` ticks.
  func draw(
    _ pages: [Int], delay: Int = 3, use: Int = 0, prefetch: Int = 0, maxRequests: Int = 100, isChained: Bool = false,
    stopsAtShortPage: Bool = true, failing: Set<Int> = []
  ) -> Drawing {
    let style: PagingStyle = isChained ? .cursor { _ in nil } : .offset(limit: 9)
    var state = PagingState(style, maxRequests: maxRequests, prefetch: prefetch, stopsAtShortPage: stopsAtShortPage)
    var failing = failing
    var arrivals: [Int: Int] = [:]
    var asked: [String] = []
    var delivered: [String] = []
    var busyUntil = 0
    for tick in 0..<60 {
      var askedNow = ""
      var deliveredNow = ""
      func ask(_ isWaiting: Bool) {
        for request in state.begin(isWaiting: isWaiting) {
          arrivals[request.index] = tick + delay
          askedNow += "\(request.index)"
        }
      }
      while tick >= busyUntil, !deliveredNow.hasSuffix("|") {
        ask(true)
        if state.end != nil || arrivals[state.position] == nil {
          deliveredNow += "|"
          break
        }
        let index = state.position
        guard let arrival = arrivals[index], arrival <= tick else { break }
        if failing.remove(index) != nil {
          state.fail()
          deliveredNow += "x"
          continue
        }
        let count = index < pages.count ? pages[index] : 0
        if state.arrive(count: count, new: count, next: index + 1 < pages.count ? .cursor("\(index + 1)") : nil) {
          deliveredNow += "\(index)"
          busyUntil = tick + use
        }
        ask(false)
      }
      asked.append(askedNow.isEmpty ? "-" : askedNow.count == 1 ? askedNow : "(\(askedNow))")
      delivered.append(deliveredNow.isEmpty ? "-" : deliveredNow.count == 1 ? deliveredNow : "(\(deliveredNow))")
      if deliveredNow.hasSuffix("|") { break }
    }
    return Drawing(asked: asked.joined(), delivered: delivered.joined())
  }

  @Test func `without prefetch one page is requested after the other`() {
    #expect(
      draw([9, 9, 4])
        == Drawing(
          asked: /*    */ "0--1--2---",
          delivered: /**/ "---0--1--(2|)"))
  }

  @Test func `a full last page needs one more request to find the end`() {
    #expect(
      draw([9, 9])
        == Drawing(
          asked: /*    */ "0--1--2---",
          delivered: /**/ "---0--1--|"))
  }

  @Test func `prefetching one page halves the waiting`() {
    #expect(
      draw([9, 9, 9, 4], prefetch: 1)
        == Drawing(
          asked: /*    */ "(01)--(23)--4",
          delivered: /**/ "---(01)--(23|)"))
  }

  @Test func `a prefetched page arrives while the previous one is used`() {
    #expect(
      draw([9, 9, 9, 4], use: 5, prefetch: 1, isChained: true)
        == Drawing(
          asked: /*    */ "0--1----2----3----------",
          delivered: /**/ "---0----1----2----3----|"))
  }

  @Test func `prefetched pages count towards the request limit`() {
    #expect(
      draw([9, 9, 9, 9, 9], prefetch: 2, maxRequests: 4)
        == Drawing(
          asked: /*    */ "(012)--3---",
          delivered: /**/ "---(012)--(3|)"))
  }

  @Test func `a failed page is requested again, and prefetched pages are kept`() {
    #expect(
      draw([9, 9, 4], prefetch: 1, failing: [1])
        == Drawing(
          asked: /*    */ "(01)--(21)--3",
          delivered: /**/ "---(0x)--(12|)"))
  }

  @Test func `a short page is not the end if short pages are allowed`() {
    #expect(
      draw([9, 4, 9], stopsAtShortPage: false)
        == Drawing(
          asked: /*    */ "0--1--2--3---",
          delivered: /**/ "---0--1--2--|"))
  }

  @Test func `a page that names the next one is never a short page`() {
    #expect(
      draw([1, 1, 1], isChained: true)
        == Drawing(
          asked: /*    */ "0--1--2---",
          delivered: /**/ "---0--1--(2|)"))
  }

  @Test func `a repeated page, an empty page and a cycle end the sequence`() {
    var state = PagingState(.offset(limit: 2), maxRequests: 9, prefetch: 0, stopsAtShortPage: true)
    _ = state.begin(isWaiting: true)
    let hasNew = state.arrive(count: 2, new: 0, next: nil)
    #expect(!hasNew && state.end == .repetition)

    state = PagingState(.offset(limit: 2), maxRequests: 9, prefetch: 0, stopsAtShortPage: true)
    _ = state.begin(isWaiting: true)
    _ = state.arrive(count: 0, new: 0, next: nil)
    #expect(state.end == .emptyPage)

    state = PagingState(.cursor { _ in nil }, maxRequests: 9, prefetch: 0, stopsAtShortPage: true)
    for (place, end) in [("a", nil), ("b", nil), ("a", .repetition)] as [(String, PagingEnd?)] {
      #expect(state.begin(isWaiting: true).count == 1)
      _ = state.arrive(count: 1, new: 1, next: .cursor(place))
      #expect(state.end == end)
    }
    #expect(state.begin(isWaiting: true).isEmpty)
  }

  @Test func `an unchanged page is delivered, and ends the sequence only if the next page is unknown`() {
    for (style, next, end) in [
      (.offset(limit: 2), nil, nil), (.number(size: 2), nil, nil), (.link(), nil, .lastPage),
      (.cursor { _ in nil }, .cursor("b"), nil),
    ] as [(PagingStyle, PageLocation?, PagingEnd?)] {
      var state = PagingState(style, maxRequests: 9, prefetch: 0, stopsAtShortPage: true)
      _ = state.begin(isWaiting: true)
      let isDelivered = state.arrive(count: 0, new: 0, next: next, isUnchanged: true)
      #expect(isDelivered && state.end == end)
    }
  }

  @Test func `each paging strategy fills in its own parameters`() {
    var state = PagingState(.offset(from: 5, limit: 40), maxRequests: 9, prefetch: 1, stopsAtShortPage: true)
    #expect(state.begin(isWaiting: true).map(\.offset) == [5, 45])
    state = PagingState(.number(from: 0, size: 20), maxRequests: 9, prefetch: 2, stopsAtShortPage: true)
    let requests = state.begin(isWaiting: true)
    #expect(requests.map(\.number) == [0, 1, 2])
    #expect(requests.map(\.limit) == [20, 20, 20])
    state = PagingState(.number(size: 0), maxRequests: 0, prefetch: -3, stopsAtShortPage: true)
    #expect(state.begin(isWaiting: true).isEmpty)
    #expect(state.end == nil && state.next.number == 1)
  }
}
