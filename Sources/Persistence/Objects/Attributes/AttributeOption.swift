/// What an attribute can be besides a value.
public struct AttributeOption: Sendable, Hashable {
  enum Kind: Sendable, Hashable {
    case unique
    case indexed
    case column(String)
  }

  let kind: Kind

  /// No two objects of the class have the same value. nil does not count as a value here. An index comes with it.
  ///
  /// What counts is the moment of the save: between two assignments values may be the same. A fetch in between finds
  /// both objects, but by that value only the one that had it first; ``ObjectSpace/values(of:in:)`` has it for both,
  /// and what SQLite would calculate from the attribute, as ``ObjectSpace/distinctValues(of:in:)``, throws
  /// ``PersistenceError/notUnique(_:)``.
  public static let unique = AttributeOption(kind: .unique)

  /// An index makes queries for values of the attribute fast, and saving a little slower.
  public static let indexed = AttributeOption(kind: .indexed)

  /// The name of the column in the store, where it is not to be the property's.
  public static func column(_ name: String) -> AttributeOption { AttributeOption(kind: .column(name)) }
}
