public import Foundation

/// A report of the data that could be read from a corrupt store, and of the data that could not.
public struct SalvageReport: Sendable, Hashable {
  /// The result for one table, which contains either the objects of a class or the pairs of related objects in a
  /// many-to-many relationship.
  public struct Table: Sendable, Hashable {
    /// The name of the class, or the names of the two sides of the relationship.
    public let name: String
    /// The number of rows that were copied into the new store.
    public let rows: Int
    /// The ranges of ids whose rows could not be read. It is unknown whether objects with these ids existed. For a
    /// many-to-many relationship, these are the ids of the objects in the first column of the join table.
    public let gaps: [ClosedRange<Int64>]
    /// The number of rows that could be read but not copied, because a value had the wrong type, or because a value
    /// that must be unique occurred twice.
    public let refused: Int
    /// The number of to-one relationships that were set to nil in copied rows, because the related object was lost. For
    /// a many-to-many relationship, this is the number of pairs that were not copied because one of the objects was
    /// lost.
    public let dangling: Int
  }

  /// The results for all tables: first the tables of the classes, and then those of the many-to-many relationships.
  public let tables: [Table]
  /// Whether the store's own description of its tables could be read. If the description could not be read, the schema
  /// was used instead.
  public let hadDescription: Bool

  /// Whether all data of the corrupt store appears to have been copied.
  public var isComplete: Bool {
    hadDescription && tables.allSatisfy { $0.gaps.isEmpty && $0.refused == 0 && $0.dangling == 0 }
  }
}

/// A report of how a corrupt file was handled when its store was opened.
public struct RecoveryReport: Sendable {
  /// The reason that the file could not be opened.
  public let reason: OpenFailure.Reason
  /// The new location of the file. The file's log and the log's index are in the same folder.
  public let quarantined: URL
  /// A report of the data that was read from the file, or nil if the policy is not ``CorruptionPolicy/salvage``.
  public let salvage: SalvageReport?
}
