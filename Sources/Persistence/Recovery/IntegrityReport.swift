/// The problems found in a store, without values.
public struct IntegrityReport: Sendable, Hashable {
  /// The problems that SQLite found in the file's structure, indexes and constraints, limited to the first 100, and
  /// full-text indexes, folded texts and indexed properties of values that do not fit the objects.
  public let problems: [String]
  /// The number of references to objects that do not exist, by class or relationship.
  public let dangling: [String: Int]

  /// Whether no problems were found.
  public var isIntact: Bool { problems.isEmpty && dangling.isEmpty }
}
