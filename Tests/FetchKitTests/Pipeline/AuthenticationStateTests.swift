import Testing

@testable import FetchKit

/// Histories of one authenticator: `a`…`z` request newer credentials than version 0, upper case newer ones than the
/// current version; `+` a refresh succeeds, `-` it fails, `!a` cancels that waiter.
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
  ])
  func `one credential refresh serves all waiters, and its failure fails all`(story: String, expected: String) {
    #expect(run(story) == expected)
  }

  private func run(_ story: String) -> String {
    var state = AuthenticationState<Int, Character>(0)
    let first = state.mark
    var reported: [String] = []
    var ids: [Character: Int] = [:]
    func perform(_ action: AuthenticationState<Int, Character>.Action) {
      if case .some = action.refreshes { reported.append("refresh") }
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
      case "+": perform(state.refreshed(1))
      case "-": perform(state.failed(CancellationError()))
      case "!": isCancel = true
      case _ where isCancel:
        isCancel = false
        perform(state.cancel(number(step)))
      default: perform(state.renew(from: step.isUppercase ? state.mark : first, number(step), step))
      }
    }
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
