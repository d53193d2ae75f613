/// A report of the problems found in a store, without any values.
public struct IntegrityReport: Sendable, Hashable {
  /// The first 100 problems that SQLite found in the file's structure, indexes and constraints, and any full-text
  /// indexes, folded texts and indexed properties of values that do not match the objects.
  public let problems: [String]
  /// The number of references to objects that do not exist, by class or relationship.
  public let dangling: [String: Int]

  /// The classes whose full-text index could not be checked completely, in most cases because another connection was
  /// writing for longer than ``StoreConfiguration/busyTimeout``. If there are any, repeat the check later.
  public let unchecked: [String]

  /// Whether no problems were found in the parts that could be checked.
  public var isIntact: Bool { problems.isEmpty && dangling.isEmpty }
}
