public import Foundation

/// The result of a migration.
public struct MigrationReport: Sendable, Hashable {
  /// One step that was executed.
  public struct Step: Sendable, Hashable {
    /// What the step did.
    public let text: String
    /// The duration of the step.
    public let duration: Duration
  }

  /// The version before the migration.
  public let oldVersion: Int
  /// The version after the migration.
  public let newVersion: Int
  /// The executed steps, in order.
  public let steps: [Step]
  /// The duration of the whole migration, including the backup and the commit.
  public let duration: Duration
  /// The backup made before the migration, if data might have been lost.
  public let backup: URL?
}
