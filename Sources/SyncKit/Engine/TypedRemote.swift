internal import Foundation
internal import Persistence

/// An app's remote, in the machine's terms.
struct TypedRemote: DriverRemote {
  let remote: any SyncRemote
  let translation: RemoteTranslation

  var capabilities: RemoteCapabilities { remote.capabilities }
  var policy: ConflictPolicy { remote.policy }
  var scopes: [String] { remote.scopes }

  func pull(_ scope: String, after position: String?) async throws -> Page {
    let page = try await remote.pull(scope, after: position)
    if page.hasMore, page.position == nil || page.position == position {
      // It would be read for ever.
      throw SyncError.invalidAnswer(type: "the list \(scope)", reason: "the next page begins where this one does")
    }
    return try translation.page(page)
  }

  func push(_ batch: PushRequest, _ attempt: PushAttempt) async throws {
    // The app would read nil, and send that.
    let unreadable = batch.changes.compactMap { change in
      translation.unreadable(in: change).map { (change.row, Outcome.rejected($0)) }
    }
    if !unreadable.isEmpty {
      let others = batch.changes.map { ($0.row, Outcome.failed(.later(nil))) }
      return try await attempt.record(Dictionary(unreadable + others) { first, _ in first })
    }
    let typed = translation.batch(batch, from: attempt.replica)
    try await remote.push(
      typed,
      SyncBatch.Attempt { outcomes in
        var recorded: [RowID: Outcome] = [:]
        for (change, outcome) in outcomes {
          recorded[change.change.row] = try translation.outcome(outcome, for: change.change)
        }
        try await attempt.record(recorded)
      })
  }

  func fetch(_ names: [RemoteName]) async throws -> (rows: [RemoteRow], missing: [RemoteName]) {
    let page = try translation.page(try await remote.fetch(names.map(translation.key)))
    return (page.rows, page.deleted)
  }

  func find(_ batch: PushRequest, from replica: UUID) async throws -> [RowID: RemoteRow] {
    let found = try await remote.find(translation.batch(batch, from: replica))
    guard found.count == batch.changes.count else {
      throw SyncError.invalidAnswer(
        type: "the batch", reason: "find(_:) has \(found.count) results for \(batch.changes.count) changes")
    }
    var rows: [RowID: RemoteRow] = [:]
    for (change, object) in zip(batch.changes, found) {
      if let object { rows[change.row] = try translation.row(object, as: change.row.entity) }
    }
    return rows
  }

  func perform(_ command: StoredCommand, from replica: UUID) async throws -> SyncCommandOutcome {
    try await remote.perform(translation.command(command, from: replica))
  }

  func failure(_ error: any Error) -> RemoteFailure {
    // The server has answered, and that could not be stored or understood. Or no one waited for its answer.
    if error is PersistenceError || error is SyncError || error is CancellationError { return .unknown }
    return remote.failure(error)
  }
}
