/// An option for an attribute.
public struct AttributeOption: Sendable, Hashable {
  enum Kind: Sendable, Hashable {
    case unique
    case indexed
    case searchable
    case folded
    case column(String)
  }

  let kind: Kind

  /// No two objects of the class may have the same value, except nil. The attribute is also indexed.
  ///
  /// Uniqueness is checked when the objects are saved. Between assignments, two objects may temporarily have the same
  /// value. A fetch at that time returns both objects, but a query for the value finds only the object that had the
  /// value first. ``ObjectSpace/values(of:in:)`` returns the value for both objects. Operations that SQLite performs on
  /// the attribute's values, such as ``ObjectSpace/distinctValues(of:in:)``, throw ``PersistenceError/notUnique(_:)``.
  public static let unique = AttributeOption(kind: .unique)

  /// Adds an index, which makes queries for the attribute's values faster and saving slightly slower.
  public static let indexed = AttributeOption(kind: .indexed)

  /// Adds the attribute to the full-text index of its class, which ``Row/matches(_:)`` and
  /// ``ObjectSpace/search(_:_:weights:where:limit:)-(_,String,_,_,_)`` search. The attribute's type must be `String` or
  /// `String?`.
  ///
  /// The index contains a second, folded copy of the text. <doc:SearchingText> describes how to search the index.
  public static let searchable = AttributeOption(kind: .searchable)

  /// Stores an additional, folded copy of the text, without case and diacritics, and indexes this copy. The attribute's
  /// type must be `String` or `String?`.
  ///
  /// ```swift
  /// final class Song: ManagedObject {
  ///   @Attribute(.folded) var title = ""
  /// }
  /// let songs = try objects.fetch(
  ///   Song.self, where: { $0.title.folded.hasPrefix("ame") },
  ///   sort: [.ascending { $0.title.folded }])
  /// ```
  ///
  /// Without this option, conditions on ``Term/folded`` and sorting by it have the same meaning, but they fold every
  /// text when they run and cannot use an index. The store writes the folded text in the same statement as the text
  /// itself, including in bulk changes and imports. A migration that adds the option fills in the folded text of
  /// existing objects. No property allows you to assign the folded text.
  public static let folded = AttributeOption(kind: .folded)

  /// The name of the column in the store, if it differs from the property's name.
  public static func column(_ name: String) -> AttributeOption { AttributeOption(kind: .column(name)) }
}
