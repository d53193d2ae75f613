/// What could be read of a damaged store, and what could not.
public struct SalvageReport: Sendable, Hashable {
  /// The objects of one class, or the pairs of one many-to-many relationship.
  public struct Table: Sendable, Hashable {
    /// The class, or the relationship by its two sides.
    public let name: String
    /// How many rows were saved.
    public let rows: Int
    /// Ids of which nobody knows whether there were objects. For pairs, those of the first side.
    public let gaps: [ClosedRange<Int64>]
    /// How many rows could be read but not saved: values of another type, or that are unique and came twice.
    public let refused: Int
    /// How many rows were saved without an object that they led to, which is lost. Pairs of which one is lost are not
    /// saved.
    public let dangling: Int
  }

  /// By name.
  public let tables: [Table]
  /// Whether the store's own description of its tables could be read. If not, the schema's was taken.
  public let hadDescription: Bool

  /// Whether nothing seems to be missing.
  public var isComplete: Bool {
    hadDescription && tables.allSatisfy { $0.gaps.isEmpty && $0.refused == 0 && $0.dangling == 0 }
  }
}
