import Foundation
import Testing

@testable import FetchKit

@Suite struct RetryStateTests {
  typealias Failure = RetryState.Failure

  private let transient = Failure(isTransient: true, nothingSent: false, retryAfter: nil)

  private func next(
    _ state: Machine, _ failure: Failure, random: Double = 1, remaining: Duration? = nil, budget: Bool = true
  ) -> Duration? {
    state.state.next(after: failure, random: random, remaining: remaining) { budget }
  }

  @Test func `retry delays are random below a bound that doubles and is capped`() {
    var policy = RetryPolicy(maxAttempts: 9)
    policy.baseDelay = .seconds(1)
    policy.maxDelay = .seconds(5)
    for random in [0, 0.25, 1] {
      let state = Machine(policy, isRepeatable: true, isReplayable: true)
      let bounds = [1.0, 2, 4, 5, 5, 5, 5, 5]
      for bound in bounds { #expect(next(state, transient, random: random) == .seconds(bound * random)) }
      #expect(next(state, transient, random: random) == nil)
    }
  }

  @Test func `the server's Retry-After is waited for exactly or not at all`() {
    let state = Machine(.standard, isRepeatable: true, isReplayable: true)
    #expect(
      next(state, Failure(isTransient: true, nothingSent: false, retryAfter: .seconds(60)), random: 0.1)
        == .seconds(60))
    #expect(next(state, Failure(isTransient: true, nothingSent: false, retryAfter: .seconds(61))) == nil)
  }

  @Test(arguments: [(true, true), (true, false), (false, true), (false, false)])
  func `a request is retried only if it is repeatable and its body replayable`(isRepeatable: Bool, isReplayable: Bool) {
    for nothingSent in [false, true] {
      for isTransient in [false, true] {
        let state = Machine(.standard, isRepeatable: isRepeatable, isReplayable: isReplayable)
        let failure = Failure(isTransient: isTransient, nothingSent: nothingSent, retryAfter: .zero)
        let expected = isTransient && isReplayable && (isRepeatable || nothingSent)
        #expect((next(state, failure) == .zero) == expected)
      }
    }
  }

  @Test func `the timeout, the total delay and the retry budget end the retries`() {
    var state = Machine(.standard, isRepeatable: true, isReplayable: true)
    #expect(next(state, transient, remaining: .milliseconds(500)) == nil)
    state = Machine(.standard, isRepeatable: true, isReplayable: true)
    #expect(next(state, transient, remaining: .milliseconds(501)) == .milliseconds(500))
    #expect(next(state, transient, budget: false) == nil)
    var policy = RetryPolicy(maxAttempts: 10)
    policy.maxTotalDelay = .seconds(1)
    state = Machine(policy, isRepeatable: true, isReplayable: true)
    #expect(next(state, transient) == .milliseconds(500))
    #expect(next(state, transient) == nil)
  }

  @Test func `each failure has its retry classification`() {
    let context = FetchError.Context(method: .get, url: nil)
    let rows: [(FetchError, isTransient: Bool, nothingSent: Bool)] = [
      (.connection(.refused, context), true, true), (.connection(.nameNotResolved, context), true, true),
      (.connection(.offline, context), true, true), (.connection(.noResources, context), true, true),
      (.connection(.lost, context), true, false), (.connection(.tls, context), false, false),
      (.connection(.proxy, context), false, false), (.timeout(.connect, context), true, true),
      (.timeout(.idle, context), true, false), (.timeout(.total, context), true, false),
      (.cancelled(context), false, false), (.malformedResponse(reason: "", context), false, false),
      (.tooLarge(.body, limit: 1, context), false, false), (.redirect(.loop, context), false, false),
      (.invalidRequest(reason: "", context), false, false),
    ]
    for (error, isTransient, nothingSent) in rows {
      for wasAnswered in [false, true] {
        let failure = Failure(error, policy: .standard, now: Date(), wasAnswered: wasAnswered)
        #expect(failure.isTransient == isTransient, "\(error)")
        #expect(failure.nothingSent == (nothingSent && !wasAnswered), "\(error)")
      }
    }
    for status in 100..<600 {
      for headers in [[:], ["Retry-After": "1"]] as [HTTPHeaders] {
        let error = FetchError.status(
          StatusFailure(status: status, headers: headers, body: Data(), isBodyTruncated: false), context)
        let failure = Failure(error, policy: .standard, now: Date(), wasAnswered: true)
        let isRateLimit = status == 403 && !headers.isEmpty
        #expect(failure.isTransient == ([408, 425, 429, 500, 502, 503, 504].contains(status) || isRateLimit))
        #expect(failure.retryAfter == (headers.isEmpty ? nil : .seconds(1)))
      }
    }
  }

  @Test func `a retry budget starts with a reserve, grows with the requests and recovers`() {
    let budget = RetryBudget(retryRatio: 0.2, minimumRetries: 3, window: .seconds(10))
    var account = RetryBudget.Account(budget, now: .zero)
    let atFirst = (0..<5).map { _ in account.takeRetry(budget, now: .zero) }
    #expect(atFirst == [true, true, true, false, false])
    for _ in 0..<4 { account.noteRequest(budget, now: .zero) }
    let tooEarly = account.takeRetry(budget, now: .zero)
    account.noteRequest(budget, now: .zero)
    account.noteRequest(budget, now: .zero)
    let afterSix = [account.takeRetry(budget, now: .zero), account.takeRetry(budget, now: .zero)]
    #expect(!tooEarly)
    #expect(afterSix == [true, false])
    let later = (0..<4).map { _ in account.takeRetry(budget, now: .seconds(20)) }
    #expect(later == [true, true, true, false])
  }

  @Test func `an active host's budget survives many other hosts, and an idle host's is discarded`() {
    let budgets = RetryBudgets()
    let budget = RetryBudget(retryRatio: 0, minimumRetries: 1)
    func take(_ host: String) -> Bool { budgets.takeRetry(to: host, budget, now: .zero) }
    #expect(take("quiet") && take("busy"))
    for number in 0..<3000 {
      budgets.noteRequest(to: "\(number)", budget, now: .zero)
      if number.isMultiple(of: 500) { budgets.noteRequest(to: "busy", budget, now: .zero) }
    }
    #expect(!take("busy"))
    #expect(take("quiet"))
  }
}

/// The state machine in a class, so that expectations can call it.
private final class Machine {
  var state: RetryState

  init(_ policy: RetryPolicy, isRepeatable: Bool, isReplayable: Bool) {
    state = RetryState(policy, isRepeatable: isRepeatable, isReplayable: isReplayable)
  }
}
