public import Foundation

/// Where a list of what was updated since a time continues, for an API that filters by its own times.
///
/// ```swift
/// func pull(_ scope: String, after position: String?) async throws -> SyncPage {
///   var window = SyncWindow(after: position)
///   let issues = try await api.issues(since: window.since)
///   for issue in issues { window.note(issue.updated) }
///   return SyncPage(
///     issues.map(\.remote), position: window.position, covers: window.isFirst ? [.all(Issue.self)] : [])
/// }
/// ```
///
/// Each reading begins some time before the last update that the one before has seen: a server can commit an object
/// later than another one with a later time. What takes longer than that, and what is deleted, such a list never
/// shows: call ``SyncEngine/reconcile()`` now and then. Only the server's times count, and the answer has to have all
/// that was updated, not a first page of it.
public struct SyncWindow: Sendable {
  private var latest: Date?
  /// The time from which on updates are to be read, or nil to read everything.
  public let since: Date?

  /// Whether everything is read.
  public var isFirst: Bool { since == nil }

  /// - Parameters:
  ///   - position: What ``SyncRemote/pull(_:after:)`` has received.
  ///   - overlap: How long before the last update the reading begins.
  public init(after position: String?, overlap: Duration = .seconds(60)) {
    latest = position.flatMap { Double($0) }.map { Date(timeIntervalSince1970: $0) }
    since = latest.map { $0 - overlap / .seconds(1) }
  }

  /// Notes when an object was updated.
  public mutating func note(_ updated: Date) { latest = max(latest ?? updated, updated) }

  /// The position of the page.
  public var position: String? { latest.map { "\($0.timeIntervalSince1970)" } }
}
