internal import Persistence
public import SyncKit

/// What engines ask.
extension MemoryAPI: SyncRemote {
  /// One list, which has everything.
  public nonisolated var scopes: [String] { ["all"] }

  /// Returns a page of the API's listing.
  public func pull(_ scope: String, after position: String?) async throws -> SyncPage {
    try await answer(.pull) { fault in
      if fault == .unknownPosition { throw SyncError.unknownPosition }
      if fault == .emptyPage { return SyncPage([], covers: translation.tables.types.map { .all($0) }) }
      return translation.page(visible.page(after: position))
    }
  }

  /// Takes what is sent, and records what became of it in one call.
  public func push(_ batch: SyncBatch, _ attempt: SyncBatch.Attempt) async throws {
    let outcomes = try await answer(.push) { fault in
      if case .rejected(let reason) = fault { return batch.changes.map { ($0, SyncOutcome.rejected(reason)) } }
      let taken = try write { try $0.push(batch.request, rules) }
      return batch.changes.compactMap { change in
        taken[change.change.row].map { (change, translation.outcome($0)) }
      }
    }
    try await attempt.record(outcomes)
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
        visible.find(MemoryServer.Origin(row: change.row, push: request.push)).map(translation.object)
      }
    }
  }

  /// Performs a command, and adds it to ``commands``. One that was performed is recognized, if the API can do that.
  public func perform(_ command: SyncCommandRequest) async throws -> SyncCommandOutcome {
    try await answer(.perform) { fault in
      if case .rejected(let reason) = fault { return .rejected(reason) }
      let isKnown = commands.contains { $0.idempotencyKey == command.idempotencyKey }
      return isKnown && capabilities.recognizesCommands ? .done : try perform(command)
    }
  }

  /// Returns what a failure of a ``MemoryFault`` says.
  public nonisolated func failure(_ error: any Error) -> RemoteFailure {
    (error as? MemoryFailure)?.failure ?? .unknown
  }
}
