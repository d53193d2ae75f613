internal import Foundation
internal import SyncKit

/// What goes wrong.
extension MemoryAPI {
  /// Lets the next requests fail. What was said first happens first.
  ///
  /// - Parameters:
  ///   - request: The kind of the requests. All kinds, if it is nil.
  ///   - fault: What happens to them.
  ///   - times: How many requests. All until ``heal()``, if it is nil.
  public func fail(_ request: MemoryRequest? = nil, with fault: MemoryFault, times: Int? = 1) {
    if let times, times < 1 { return }
    faults.append((request.map { [$0] } ?? Set(MemoryRequest.allCases), fault, times ?? .max))
  }

  /// Lets the answers arrive that are ``MemoryFault/held``.
  public func release() {
    for continuation in held.values { continuation.resume() }
    held = [:]
  }

  /// Ends all failures and the lag, and lets the answers arrive that are held.
  public func heal() {
    (faults, lag, past) = ([], 0, [])
    release()
  }

  /// Lets reads be answered from what the API had before its last changes, as a replica of a database does, until
  /// ``heal()``.
  ///
  /// - Parameter changes: The number of changes that are not seen, of those from now on. A push is one.
  public func lag(by changes: Int) {
    lag = max(0, changes)
    past = past.suffix(lag)
  }

  /// Returns when so many requests of a kind have arrived since the API was made. Their answers may still be on their
  /// way.
  ///
  /// - Throws: `CancellationError`.
  public func received(_ request: MemoryRequest, times: Int) async throws {
    let id = UUID()
    try await withTaskCancellationHandler {
      try Task.checkCancellation()
      if count(request) >= times { return }
      try await withCheckedThrowingContinuation {
        waiters[id] = Waiter(request: request, count: times, continuation: $0)
      }
    } onCancel: {
      Task { await cancelWaiting(id) }
    }
  }

  private func cancelWaiting(_ id: UUID) {
    waiters.removeValue(forKey: id)?.continuation.resume(throwing: CancellationError())
  }

  private func resumeWaiters() {
    for (id, waiter) in waiters where count(waiter.request) >= waiter.count {
      waiters[id] = nil
      waiter.continuation.resume()
    }
  }

  private func count(_ request: MemoryRequest) -> Int { requests.count { $0 == request } }

  /// Does what a request says, or fails as a test has said.
  func answer<Answer: Sendable>(
    _ request: MemoryRequest, _ work: (MemoryFault?) throws -> Answer
  ) async throws -> Answer {
    let index = faults.firstIndex { $0.requests.contains(request) }
    let fault = index.map { faults[$0].fault }
    if let index {
      faults[index].left -= 1
      if faults[index].left == 0 { faults.remove(at: index) }
    }
    let failure = fault?.failure(of: request)
    if let failure, failure == .unknown { throw MemoryFailure(failure: failure) }
    requests.append(request)
    resumeWaiters()
    if let failure { throw MemoryFailure(failure: failure) }
    let answer = try work(fault)
    switch fault {
    case .answerLost: throw MemoryFailure(failure: .unknown)
    case .held: try await waitForRelease()
    default: break
    }
    return answer
  }

  private func waitForRelease() async throws {
    let id = UUID()
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        if Task.isCancelled { continuation.resume() } else { held[id] = continuation }
      }
    } onCancel: {
      Task { await endHolding(id) }
    }
    if Task.isCancelled { throw MemoryFailure(failure: .unknown) }
  }

  private func endHolding(_ id: UUID) { held.removeValue(forKey: id)?.resume() }

  func perform(_ command: SyncCommandRequest) throws -> SyncCommandOutcome {
    let outcome = try answeringCommands(command, self)
    if case .done = outcome { commands.append(command) }
    return outcome
  }

  /// What the API makes of what is sent.
  var rules: MemoryServer.Rules {
    MemoryServer.Rules(
      rejecting: { [rejecting] change, _, whole in rejecting[change.row.entity]?(change.key, whole) },
      form: { [normalizing] name, fields in
        try normalizing[name.entity].map { fields.taking(try $0(name, fields)) } ?? fields
      })
  }
}
