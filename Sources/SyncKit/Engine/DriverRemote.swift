package import Foundation

/// An API in the machine's terms, as the driver asks it. All calls may throw: ``failure(_:)`` says what an error means.
package protocol DriverRemote: Sendable {
  var capabilities: RemoteCapabilities { get }
  var policy: ConflictPolicy { get }
  /// The lists to pull.
  var scopes: [String] { get }

  /// Reads a page of a list, the first one or the one after a position.
  func pull(_ scope: String, after position: String?) async throws -> Page
  /// Sends changes, and records what became of each before the next request.
  func push(_ batch: PushRequest, _ attempt: PushAttempt) async throws
  /// Reads rows by their names, if ``RemoteCapabilities/fetchesRows`` is true.
  func fetch(_ names: [RemoteName]) async throws -> (rows: [RemoteRow], missing: [RemoteName])
  /// Looks for rows whose creation has no answer, for classes that settle it so.
  func find(_ batch: PushRequest, from replica: UUID) async throws -> [RowID: RemoteRow]
  /// Performs a command.
  func perform(_ command: StoredCommand, from replica: UUID) async throws -> SyncCommandOutcome
  /// What an error says about a request: nothing, unless the remote knows better.
  func failure(_ error: any Error) -> RemoteFailure
}

extension DriverRemote {
  package var policy: ConflictPolicy { ConflictPolicy() }

  package func fetch(_ names: [RemoteName]) async throws -> (rows: [RemoteRow], missing: [RemoteName]) { ([], []) }

  package func find(_ batch: PushRequest, from replica: UUID) async throws -> [RowID: RemoteRow] { [:] }

  package func perform(_ command: StoredCommand, from replica: UUID) async throws -> SyncCommandOutcome {
    .rejected("there are no commands")
  }

  package func failure(_ error: any Error) -> RemoteFailure { .unknown }
}

/// Records what became of rows that are being sent.
package struct PushAttempt: Sendable {
  private let driver: SyncDriver
  private let request: PushRequest
  private let run: Int
  /// What the store is called. A copy of it is called the same, and has other numbers of pushes.
  let replica: UUID

  init(_ driver: SyncDriver, _ request: PushRequest, run: Int, replica: UUID) {
    (self.driver, self.request, self.run, self.replica) = (driver, request, run, replica)
  }

  /// Returns when the outcomes are stored, so that the next request may be sent. Those of an atomic batch are recorded
  /// together.
  package func record(_ outcomes: [RowID: Outcome]) async throws {
    try await driver.commit(.recorded(push: request.push, outcomes), of: run)
  }
}
