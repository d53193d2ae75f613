/// What is wrong with a store. Values are not told.
public struct IntegrityReport: Sendable, Hashable {
  /// What SQLite found in the file's structure, its indexes and its constraints; at most a hundred things.
  public let problems: [String]
  /// How many rows lead to objects that are not there, by class or relationship.
  public let dangling: [String: Int]

  /// Whether nothing is wrong.
  public var isIntact: Bool { problems.isEmpty && dangling.isEmpty }
}
