/// Decides when an authenticator refreshes its credentials and which requests wait for it.
///
/// Pure: it stores the waiters and returns those to resume.
struct AuthenticationState<Credential: Sendable, Waiter> {
  struct Action {
    var resumed: [(Waiter, Result<Void, any Error>)] = []
    /// Start a refresh.
    var refreshes: Refresh?
  }

  /// A refresh, and the credentials that it replaces.
  struct Refresh {
    var id: Int
    var old: Credential?
  }

  private(set) var credential: Credential?
  private(set) var mark = AuthenticationMark(version: 0, failures: 0)
  private var wasRejected = false
  private var lastFailure: (any Error)?
  /// Whether the server has rejected the current credentials, and they could not be refreshed. No further request is
  /// sent with them.
  var isDisproved: Bool { wasRejected && lastFailure != nil }
  /// The refresh in progress. The result of any other one is ignored.
  private var refresh: Int?
  private var lastRefresh = 0
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
  ///
  /// - Parameter isRejection: Whether the server has rejected the credentials of the mark.
  mutating func renew(from sent: AuthenticationMark, isRejection: Bool, _ id: Int, _ waiter: Waiter) -> Action {
    if coming.removeValue(forKey: id) == true { return Action(resumed: [(waiter, .failure(CancellationError()))]) }
    if sent.session != mark.session { return Action(resumed: [(waiter, Self.forgotten)]) }
    if sent.version < mark.version { return Action(resumed: [(waiter, .success(()))]) }
    if isRejection { wasRejected = true }
    if sent.failures < mark.failures, refresh == nil, let lastFailure {
      // The request was in progress when the refresh failed. Another refresh would fail the same way.
      return Action(resumed: [(waiter, .failure(AuthenticationFailure(cause: lastFailure)))])
    }
    waiters[id] = waiter
    guard refresh == nil else { return Action() }
    lastRefresh += 1
    refresh = lastRefresh
    return Action(refreshes: Refresh(id: lastRefresh, old: credential))
  }

  mutating func cancel(_ id: Int) -> Action {
    guard let waiter = waiters.removeValue(forKey: id) else {
      if coming[id] != nil { coming[id] = true }
      return Action()
    }
    return Action(resumed: [(waiter, .failure(CancellationError()))])
  }

  mutating func refreshed(_ new: Credential, by id: Int) -> Action {
    id == refresh ? set(new) : Action()
  }

  mutating func failed(_ error: any Error, in id: Int) -> Action {
    guard id == refresh else { return Action() }
    mark.failures += 1
    lastFailure = error
    return end(.failure(AuthenticationFailure(cause: error)))
  }

  mutating func set(_ new: Credential) -> Action {
    replace(with: new)
    return end(.success(()))
  }

  mutating func forget() -> Action {
    replace(with: nil)
    mark.session += 1
    return end(Self.forgotten)
  }

  private static var forgotten: Result<Void, any Error> { .failure(AuthenticationFailure(cause: CancellationError())) }

  private mutating func replace(with new: Credential?) {
    credential = new
    mark.version += 1
    wasRejected = false
    lastFailure = nil
  }

  private mutating func end(_ result: Result<Void, any Error>) -> Action {
    refresh = nil
    defer { waiters = [:] }
    return Action(resumed: waiters.values.map { ($0, result) })
  }
}
