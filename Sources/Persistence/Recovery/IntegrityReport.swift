/// A report of the problems that were found in a store. The report does not contain any values from the store.
public struct IntegrityReport: Sendable, Hashable {
  /// Descriptions of the first 100 problems that SQLite found in the file's structure, indexes and constraints. The
  /// array also describes all full-text indexes, folded strings and indexed properties that do not match the objects.
  public let problems: [String]
  /// The number of references to objects that do not exist, keyed by the class or relationship that contains the
  /// references.
  public let dangling: [String: Int]

  /// The first 1000 stored values that are not of their attribute's type, unless the attribute is declared with
  /// `unreadable:`.
  public let unreadable: [InvalidValue]

  /// The classes whose full-text index could not be checked completely, in most cases because another connection was
  /// writing for longer than ``StoreConfiguration/busyTimeout``. If the array is not empty, repeat the check later.
  public let unchecked: [String]

  /// Whether the check found no problems in the parts of the store that it could check.
  public var isIntact: Bool { problems.isEmpty && dangling.isEmpty && unreadable.isEmpty }
}
