internal import FetchKit
internal import Foundation

extension SyncOutcome {
  /// What the status code of an answer to a change says, or nil if it says nothing about the change alone, such as 401,
  /// or if the change may have taken effect.
  ///
  /// | code | outcome |
  /// |---|---|
  /// | 404 | ``missing`` |
  /// | 409, 412 | ``conflict(_:)`` without the object |
  /// | 410 | ``gone`` |
  /// | 408, 425, 429, 503 | ``later(milliseconds:)``, as `Retry-After` says |
  /// | others from 400 to 499, except 401 | ``rejected(_:)`` |
  ///
  /// The reason of a rejection is `detail` or `title` of a problem (RFC 9457), `message` or `error` of another object
  /// of JSON, or the status code.
  public init?(_ error: any Error) {
    guard case .status(let failure, _)? = error as? FetchError, case .later(let delay) = RemoteFailure(error) else {
      return nil
    }
    switch failure.status {
    case 404: self = .missing
    case 409, 412: self = .conflict()
    case 410: self = .gone
    case 408, 425, 429, 503: self = .later(milliseconds: delay)
    default: self = failure.isRetryable ? .later(milliseconds: delay) : .rejected(failure.reason)
    }
  }

  fileprivate static func reason(of error: any Error) -> String {
    if case .status(let failure, _)? = error as? FetchError { failure.reason } else { "\(error)" }
  }
}

extension SyncCommandOutcome {
  /// What the status code of an answer to a command says: those from 400 to 499 are rejections, except 401, 408, 425
  /// and 429. Nil for others, and if the command may have been performed.
  public init?(_ error: any Error) {
    switch SyncOutcome(error) {
    case .rejected, .missing, .gone, .conflict: self = .rejected(SyncOutcome.reason(of: error))
    case .accepted, .later, nil: return nil
    }
  }
}

extension StatusFailure {
  /// What people can read.
  fileprivate var reason: String {
    let known = (try? JSONDecoder().decode(Problem.self, from: body))?.text
    return known ?? "the server answered with status code \(status)"
  }

  private struct Problem: Decodable {
    let text: String?

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      text = CodingKeys.allCases.lazy.compactMap { try? container.decode(String.self, forKey: $0) }.first {
        !$0.isEmpty
      }
    }

    enum CodingKeys: CodingKey, CaseIterable { case detail, title, message, error }
  }
}

extension SyncBatch.Attempt {
  /// Sends a change, and records what became of it, also if that is an error whose status code says so, see
  /// ``SyncOutcome/init(_:)``. A creation whose key the server assigns, and that is in conflict, is rejected.
  ///
  /// ```swift
  /// for change in batch.changes {
  ///   try await attempt.record(change) {
  ///     .accepted(try await api.send(change, change.headers).remote)
  ///   }
  /// }
  /// ```
  ///
  /// - Throws: Other errors of the closure, ``SyncError`` if the outcome does not fit the classes, or an error of the
  ///   store. Let ``SyncRemote/push(_:_:)`` throw it.
  public func record(_ change: SyncChange, _ send: () async throws -> SyncOutcome) async throws {
    let outcome: SyncOutcome
    do {
      outcome = try await send()
    } catch {
      guard let known = SyncOutcome(error) else { throw error }
      outcome = known
      if case .conflict(nil) = known, change.kind == .creation, change.key == nil {
        // A server may answer so to a repetition while it is still busy with the first attempt.
        if change.isRepeated { throw error }
        return try await record(.rejected(SyncOutcome.reason(of: error)), for: change)
      }
    }
    try await record(outcome, for: change)
  }
}
