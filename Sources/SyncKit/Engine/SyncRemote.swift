/// The app's API, as the engine asks it. All calls may throw: ``failure(_:)`` says what an error means.
package protocol SyncRemote: Sendable {
  var capabilities: RemoteCapabilities { get }
  /// The lists to pull.
  var scopes: [String] { get }

  /// Reads a page of a list, the first one or the one after a position.
  func pull(_ scope: String, after position: String?) async throws -> Page
  /// Sends changes, and records what became of each before the next request.
  func push(_ batch: PushRequest, _ attempt: PushAttempt) async throws
  /// Reads rows by their names, if ``RemoteCapabilities/fetchesRows`` is true.
  func fetch(_ names: [RemoteName]) async throws -> (rows: [RemoteRow], missing: [RemoteName])
  /// Looks for rows whose creation has no answer, for classes that settle it so.
  func find(_ batch: PushRequest) async throws -> [RowID: RemoteRow]
  /// What an error says about a request: nothing, unless the remote knows better.
  func failure(_ error: any Error) -> Failure
}

extension SyncRemote {
  package func fetch(_ names: [RemoteName]) async throws -> (rows: [RemoteRow], missing: [RemoteName]) { ([], []) }

  package func find(_ batch: PushRequest) async throws -> [RowID: RemoteRow] { [:] }

  package func failure(_ error: any Error) -> Failure { .unknown }
}

/// Records what became of rows that are being sent.
package struct PushAttempt: Sendable {
  private let driver: SyncDriver
  private let request: PushRequest

  init(_ driver: SyncDriver, _ request: PushRequest) { (self.driver, self.request) = (driver, request) }

  /// Returns when the outcomes are stored, so that the next request may be sent. Those of an atomic batch are recorded
  /// together.
  package func record(_ outcomes: [RowID: Outcome]) async throws {
    try await driver.commit(.recorded(push: request.push, outcomes))
  }
}
