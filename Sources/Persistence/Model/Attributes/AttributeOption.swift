/// An option for an attribute.
public struct AttributeOption: Sendable, Hashable {
  enum Kind: Sendable, Hashable {
    case unique
    case uniqueFolded
    case indexed
    case searchable
    case folded
    case column(String)
  }

  let kind: Kind

  /// Requires unique values: no two objects of the class can have the same value, except nil. The option also adds an
  /// index on the attribute.
  ///
  /// Uniqueness is checked only when objects are saved. Until then, two objects can have the same value. During this
  /// time, a fetch of all objects returns both objects, but a query for the value finds only the object that had the
  /// value first. ``ObjectSpace/values(of:in:)`` returns the value for both objects. Operations that SQLite performs on
  /// the attribute's values, such as ``ObjectSpace/distinctValues(of:in:)``, throw ``PersistenceError/notUnique(_:)``
  /// during this time.
  public static let unique = AttributeOption(kind: .unique)

  /// Requires texts that are unique without regard to case and diacritics: if an object has `anna@example.org`, no
  /// other object of the class can have `Anna@example.org`. The attribute's type must be `String` or `String?`.
  ///
  /// ```swift
  /// final class Account: ManagedObject {
  ///   @Attribute(.uniqueFolded) var email = ""
  /// }
  /// let (account, _) = try objects.findOrInsert(
  ///   Account.self, \.email, "Anna@example.org")
  /// ```
  ///
  /// The text itself is stored as it was set. The option includes ``folded``. Imports and
  /// ``ObjectSpace/findOrInsert(_:_:_:)->(Object,Bool)`` also find objects by the folded text. In all other respects,
  /// the option behaves like ``unique``. To combine the text with other properties, or for some of the objects only,
  /// use ``AttributeIndex/unique(_:folding:where:)``.
  public static let uniqueFolded = AttributeOption(kind: .uniqueFolded)

  /// Adds an index on the attribute. The index makes queries for the attribute's values faster, and saving slightly
  /// slower.
  public static let indexed = AttributeOption(kind: .indexed)

  /// Adds the attribute to the full-text index of its class. ``Row/matches(_:)`` and
  /// ``ObjectSpace/search(_:_:weights:where:limit:)-(_,String,_,_,_)`` use this index. The attribute's type must be
  /// `String` or `String?`.
  ///
  /// The index contains a folded copy of the text, so the text is stored twice. <doc:SearchingText> describes how to
  /// search the index.
  public static let searchable = AttributeOption(kind: .searchable)

  /// Stores and indexes an additional, folded copy of the text. Folding removes differences in case and diacritics. The
  /// attribute's type must be `String` or `String?`.
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
  /// Without this option, you can still use ``Term/folded`` in conditions and sort keys, with the same results.
  /// However, the query then folds the text of every object that it examines and cannot use an index. The store writes
  /// the folded copy in the same statement as the text itself, even in bulk changes and imports, so the copy is always
  /// up to date. A migration that adds the option also creates the folded copies for existing objects. You cannot
  /// assign the folded copy yourself.
  public static let folded = AttributeOption(kind: .folded)

  /// Stores the attribute in a column with the given name, which can differ from the property's name.
  public static func column(_ name: String) -> AttributeOption { AttributeOption(kind: .column(name)) }
}
