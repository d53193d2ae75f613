/// The progress of a migration.
public struct MigrationProgress: Sendable, Hashable {
  /// The name of the current step.
  public let step: String
  /// The step's index, starting at 0.
  public let index: Int
  /// The number of steps that are known so far. Inferred steps are counted only after all declared steps have run,
  /// because a custom step can change which inferred steps are necessary.
  public let count: Int
  /// The number of rows that the step has written. For a backup, this is the number of pages that have been copied.
  public let rows: Int
  /// The total number of rows that the step will write. The number is 0 for a custom step, and for a step whose cost
  /// does not depend on the number of rows. For a backup, this is the total number of pages.
  public let totalRows: Int
}
