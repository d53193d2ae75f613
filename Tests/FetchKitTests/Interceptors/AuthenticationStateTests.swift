import Testing

@testable import FetchKit

/// Histories of one authenticator: `a`…`z` request newer credentials than version 0, upper case newer ones than the
/// current version; `+` the last refresh succeeds, `-` it fails, `!a` cancels that waiter, `=` credentials are set, `_`
/// forgotten.
@Suite struct AuthenticationStateTests {
  @Test(arguments: [
    ("a", "refresh"),
    ("ab", "refresh"),
    ("a+", "refresh a:ok"),
    ("ab+", "refresh a:ok b:ok"),
    ("ab-", "refresh a:failed b:failed"),
    // Sent before the refresh, rejected after it: no second refresh.
    ("a+b", "refresh a:ok b:ok"),
    // In flight when the refresh failed: no second refresh either.
    ("a-b", "refresh a:failed b:failed"),
    // A new request after a failure refreshes again.
    ("a-B", "refresh a:failed refresh"),
    ("a-B+", "refresh a:failed refresh B:ok"),
    ("a+B", "refresh a:ok refresh"),
    ("ab!a+", "refresh a:cancelled b:ok"),
    ("a!a+", "refresh a:cancelled"),
    // Cancelled before it could wait.
    ("!aa", "a:cancelled"),
    ("a+!a", "refresh a:ok"),
    // The waiters continue with credentials that are set, and the refresh has no effect anymore.
    ("a=", "refresh a:ok 7"),
    ("a=+", "refresh a:ok 7"),
    ("a=-b", "refresh a:ok b:ok 7"),
    ("a-=B+", "refresh a:failed refresh B:ok 1"),
    // Nothing that belongs to forgotten credentials continues, and their refresh does not bring them back.
    ("a_", "refresh a:failed"),
    ("a_+", "refresh a:failed"),
    ("a_=+b", "refresh a:failed b:failed 7"),
    ("_=a", "a:failed 7"),
    ("_B+", "refresh B:ok 1"),
    ("a_B+", "refresh a:failed refresh B:ok 1"),
  ])
  func `one credential refresh serves all waiters, and its failure fails all`(story: String, expected: String) {
    #expect(run(story) == expected)
  }

  @Test func `the result of a replaced refresh is ignored, also while another one is in progress`() {
    var state = AuthenticationState<Int, Character>(0)
    func begin() -> Int? { state.renew(from: state.mark, isRejection: true, state.newWaiter(), "a").refreshes?.id }
    let first = begin()
    _ = state.forget()
    let second = begin()
    #expect(first != nil && second != nil)
    #expect(state.refreshed(1, by: first ?? 0).resumed.isEmpty && state.credential == nil)
    #expect(state.failed(CancellationError(), in: first ?? 0).resumed.isEmpty)
    #expect(state.refreshed(2, by: second ?? 0).resumed.count == 1 && state.credential == 2)
  }

  @Test func `rejected credentials are disproved from a failed refresh until they are replaced`() {
    var state = AuthenticationState<Int, Character>(0)
    let old = state.mark
    let refresh = state.renew(from: old, isRejection: true, state.newWaiter(), "a").refreshes
    #expect(!state.isDisproved)
    _ = state.failed(CancellationError(), in: refresh?.id ?? 0)
    #expect(state.isDisproved)
    _ = state.set(1)
    #expect(!state.isDisproved)
    _ = state.renew(from: old, isRejection: true, state.newWaiter(), "b")
    #expect(!state.isDisproved)
    // A refresh of credentials that have only expired proves nothing.
    let renewal = state.renew(from: state.mark, isRejection: false, state.newWaiter(), "c").refreshes
    _ = state.failed(CancellationError(), in: renewal?.id ?? 0)
    #expect(!state.isDisproved)
  }

  private func run(_ story: String) -> String {
    var state = AuthenticationState<Int, Character>(0)
    let first = state.mark
    var reported: [String] = []
    var refresh = 0
    var ids: [Character: Int] = [:]
    func perform(_ action: AuthenticationState<Int, Character>.Action) {
      if let started = action.refreshes {
        reported.append("refresh")
        refresh = started.id
      }
      reported += action.resumed.sorted { $0.0 < $1.0 }.map { "\($0.0):\(Self.word($0.1))" }
    }
    func number(_ name: Character) -> Int {
      if let id = ids[name] { return id }
      let id = state.newWaiter()
      ids[name] = id
      return id
    }
    var isCancel = false
    for step in story {
      switch step {
      case "+": perform(state.refreshed(1, by: refresh))
      case "-": perform(state.failed(CancellationError(), in: refresh))
      case "=": perform(state.set(7))
      case "_": perform(state.forget())
      case "!": isCancel = true
      case _ where isCancel:
        isCancel = false
        perform(state.cancel(number(step)))
      default:
        perform(
          state.renew(from: step.isUppercase ? state.mark : first, isRejection: true, number(step), step))
      }
    }
    if story.contains(where: "=_".contains), let credential = state.credential { reported.append("\(credential)") }
    return reported.joined(separator: " ")
  }

  private static func word(_ result: Result<Void, any Error>) -> String {
    switch result {
    case .success: "ok"
    case .failure(is AuthenticationFailure): "failed"
    case .failure: "cancelled"
    }
  }
}
