public import Foundation

/// A report of what could and could not be read from a corrupt store.
public struct SalvageReport: Sendable, Hashable {
  /// The objects of one class, or the pairs of one many-to-many relationship.
  public struct Table: Sendable, Hashable {
    /// The class, or the two sides of the relationship.
    public let name: String
    /// The number of rows that were saved.
    public let rows: Int
    /// Ranges of ids for which it is unknown whether objects existed. For pairs, the ranges contain ids of the first
    /// side.
    public let gaps: [ClosedRange<Int64>]
    /// The number of rows that could be read but not saved, because a value had the wrong type or a unique value
    /// occurred twice.
    public let refused: Int
    /// The number of to-one relationships that were set to nil in saved rows, because their object was lost. For pairs,
    /// this is the number of pairs that were not saved because an object was lost.
    public let dangling: Int
  }

  /// The results for each table, starting with the classes, followed by the many-to-many relationships.
  public let tables: [Table]
  /// Whether the store's own description of its tables could be read. If it could not, the schema was used instead.
  public let hadDescription: Bool

  /// Whether no data appears to be missing.
  public var isComplete: Bool {
    hadDescription && tables.allSatisfy { $0.gaps.isEmpty && $0.refused == 0 && $0.dangling == 0 }
  }
}

/// A report of how a corrupt file was handled when its store was opened.
public struct RecoveryReport: Sendable {
  /// The reason that the file could not be opened.
  public let reason: OpenFailure.Reason
  /// The new location of the file. Its log and index are next to it.
  public let quarantined: URL
  /// A report of the data that was read from the file, or nil if the policy is not ``CorruptionPolicy/salvage``.
  public let salvage: SalvageReport?
}
