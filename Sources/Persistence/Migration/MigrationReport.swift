public import Foundation

/// The result of a migration.
public struct MigrationReport: Sendable, Hashable {
  /// A step that the migration executed.
  public struct Step: Sendable, Hashable {
    /// A description of what the step did.
    public let text: String
    /// The duration of the step.
    public let duration: Duration
  }

  /// The store's version before the migration.
  public let oldVersion: Int
  /// The store's version after the migration.
  public let newVersion: Int
  /// The executed steps, in order.
  public let steps: [Step]
  /// The duration of the whole migration, including the backup and the commit.
  public internal(set) var duration: Duration
  /// The location of the backup that was made before the migration, or nil if no backup was made. A backup is made only
  /// if the migration can lose data.
  public let backup: URL?
}
