/// How far a migration has come.
public struct MigrationProgress: Sendable, Hashable {
  /// What is being done.
  public let step: String
  /// Its number, from 0.
  public let index: Int
  /// How many there are, as far as is known: a custom step may change what is left to be inferred.
  public let count: Int
  /// How many of the step's rows are written; of a backup, how many pages.
  public let rows: Int
  /// How many there are to write; 0 for a step whose cost does not depend on them, or that is the program's own.
  public let totalRows: Int
}
