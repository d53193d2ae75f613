/// The progress of a migration.
public struct MigrationProgress: Sendable, Hashable {
  /// The name of the current step.
  public let step: String
  /// The step's index, starting at 0.
  public let index: Int
  /// The number of steps known so far. A custom step can change which later steps are inferred.
  public let count: Int
  /// The number of rows that the step has written. For a backup, this is the number of pages.
  public let rows: Int
  /// The number of rows to write, or 0 for a custom step or a step whose cost does not depend on the number of rows.
  public let totalRows: Int
}
