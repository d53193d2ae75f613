/// Which credentials a request was sent with, and when.
struct AuthenticationMark: Sendable, Hashable {
  /// Counts the credentials.
  var version: Int
  /// Counts the failed refreshes.
  var failures: Int
}

/// Decides for all requests of one authenticator whether there is a refresh, and who waits for it.
///
/// Pure: it keeps its waiters and says when to resume them, and knows nothing else of them.
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
  /// Those that have a number and do not wait yet, and whether they were cancelled meanwhile.
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

  /// Somebody needs credentials newer than those of the mark.
  mutating func renew(from sent: AuthenticationMark, _ id: Int, _ waiter: Waiter) -> Action {
    if coming.removeValue(forKey: id) == true { return Action(resumed: [(waiter, .failure(CancellationError()))]) }
    if sent.version < mark.version { return Action(resumed: [(waiter, .success(()))]) }
    if sent.failures < mark.failures, !isRefreshing, let lastFailure {
      // It was under way when the refresh failed: another one would tell it nothing new.
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
