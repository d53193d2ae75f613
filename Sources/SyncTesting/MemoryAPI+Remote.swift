internal import Persistence
public import SyncKit

/// What engines ask.
extension MemoryAPI: SyncRemote {
  /// One list, which has everything.
  public nonisolated var scopes: [String] { ["all"] }

  /// Returns a page of the API's listing.
  public func pull(_ scope: String, after position: String?) async throws -> SyncPage {
    try await answer(.pull) { fault in
      if fault == .emptyPage { return SyncPage([], covers: translation.tables.types.map { .all($0) }) }
      return translation.page(visible.page(after: position))
    }
  }

  /// Takes what is sent, and records what became of it in one call.
  public func push(_ batch: SyncBatch, _ attempt: SyncBatch.Attempt) async throws {
    let outcomes = try await answer(.push) { fault in
      if case .rejected(let reason) = fault { return batch.changes.map { ($0, SyncOutcome.rejected(reason)) } }
      return try write { server in try take(batch, &server) }
    }
    try await attempt.record(outcomes)
  }

  private func take(_ batch: SyncBatch, _ server: inout MemoryServer) throws -> [(SyncChange, SyncOutcome)] {
    let request = batch.request
    let known = Set(server.outcomes.keys)
    let outcomes = server.push(request) { entity, _, whole in rejection(of: entity, whole) }
    return try batch.changes.compactMap { change in
      guard var outcome = outcomes[change.change.row] else { return nil }
      let origin = MemoryServer.Origin(row: change.change.row, push: request.push)
      if case .accepted(let key?, _, _) = outcome, !known.contains(origin) {
        let name = RemoteName(change.change.row.entity, key)
        if let values = try normalized(name, server.rows[name]?.fields) {
          server.change(name) { $0.take(values) }
          outcome = server.accepted(name)
          server.outcomes[origin] = outcome
        }
      }
      return (change, translation.outcome(outcome))
    }
  }

  /// Returns objects by their keys.
  public func fetch(_ keys: [RemoteKey]) async throws -> SyncPage {
    try await answer(.fetch) { _ in
      let (rows, missing) = visible.fetch(try keys.map { try translation.name($0) })
      return translation.page(Page(rows, deleted: missing))
    }
  }

  /// Returns what was created of what was sent.
  public func find(_ batch: SyncBatch) async throws -> [RemoteObject?] {
    try await answer(.find) { _ in
      let request = batch.request
      return request.changes.map { change in
        server.find(MemoryServer.Origin(row: change.row, push: request.push)).map(translation.object)
      }
    }
  }

  /// Adds a command to those that were performed.
  public func perform(_ command: SyncCommandRequest) async throws -> SyncCommandOutcome {
    try await answer(.perform) { fault in
      if case .rejected(let reason) = fault { return .rejected(reason) }
      let isKnown = commands.contains { $0.idempotencyKey == command.idempotencyKey }
      if !isKnown || !capabilities.recognizesCommands { note(command) }
      return .done
    }
  }

  /// Returns what a failure of a ``MemoryFault`` says.
  public nonisolated func failure(_ error: any Error) -> RemoteFailure {
    (error as? MemoryFailure)?.failure ?? .unknown
  }
}
