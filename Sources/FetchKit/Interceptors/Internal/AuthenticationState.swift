/// Decides when an authenticator refreshes its credentials and which requests wait for it.
///
/// Pure: it stores the waiters and returns those to resume.
struct AuthenticationState<Credential: Sendable, Waiter> {
  struct Action {
    var resumed: [(Waiter, Result<Void, any Error>)] = []
    /// Start a refresh that replaces these credentials.
    var refreshes: Credential??
  }

  private(set) var credential: Credential?
  private(set) var mark = AuthenticationMark(version: 0, failures: 0)
  private var lastFailure: (any Error)?
  private var isRefreshing = false
  private var waiters: [Int: Waiter] = [:]
  /// Waiters that have a number and do not wait yet, and whether they were cancelled in the meantime.
  private var coming: [Int: Bool] = [:]
  private var nextWaiter = 0

  init(_ credential: Credential?) {
    self.credential = credential
  }

  mutating func newWaiter() -> Int {
    nextWaiter += 1
    coming[nextWaiter] = false
    return nextWaiter
  }

  /// Requests credentials newer than those of the mark.
  mutating func renew(from sent: AuthenticationMark, _ id: Int, _ waiter: Waiter) -> Action {
    if coming.removeValue(forKey: id) == true { return Action(resumed: [(waiter, .failure(CancellationError()))]) }
    if sent.version < mark.version { return Action(resumed: [(waiter, .success(()))]) }
    if sent.failures < mark.failures, !isRefreshing, let lastFailure {
      // The request was in progress when the refresh failed. Another refresh would fail the same way.
      return Action(resumed: [(waiter, .failure(AuthenticationFailure(cause: lastFailure)))])
    }
    waiters[id] = waiter
    guard !isRefreshing else { return Action() }
    isRefreshing = true
    return Action(refreshes: .some(credential))
  }

  mutating func cancel(_ id: Int) -> Action {
    guard let waiter = waiters.removeValue(forKey: id) else {
      if coming[id] != nil { coming[id] = true }
      return Action()
    }
    return Action(resumed: [(waiter, .failure(CancellationError()))])
  }

  mutating func refreshed(_ new: Credential) -> Action {
    credential = new
    mark.version += 1
    lastFailure = nil
    return end(.success(()))
  }

  mutating func failed(_ error: any Error) -> Action {
    mark.failures += 1
    lastFailure = error
    return end(.failure(AuthenticationFailure(cause: error)))
  }

  private mutating func end(_ result: Result<Void, any Error>) -> Action {
    isRefreshing = false
    defer { waiters = [:] }
    return Action(resumed: waiters.values.map { ($0, result) })
  }
}
