/// A ``CodableAttribute`` whose properties a query can name.
///
/// ```swift
/// struct Address: QueryableValue {
///   var street = ""
///   var city = ""
///   static var jsonNames: [PartialKeyPath<Address>: String] {
///     [\.street: "street", \.city: "city"]
///   }
/// }
///
/// final class Contact: ManagedObject {
///   @Attribute var address = Address()
///   override class var indexes: [AttributeIndex] {
///     [.on(Contact.self, by: { $0.address.city })]
///   }
/// }
/// ```
///
/// A condition is then `$0.address.city == "Bonn"`. The property can also be sorted by, selected and grouped by, as in
/// `.ascending { $0.address.city }`. It can have the type `String`, `Bool`, `Double`, `Int`, a smaller or a signed
/// 64-bit integer, an enumeration or another type with such a raw value, another queryable value, or an optional of
/// these. A query that names any other property fails with ``PersistenceError/unsupportedQuery(_:)``. A member that is
/// missing or null in the JSON is nil, and so are all properties of a value that is nil.
///
/// Opening a store encodes a value that ``init()`` creates, and throws ``PersistenceError/invalidSchema(_:)`` if its
/// JSON does not contain the properties under their names. A query reads the JSON of each row that the other
/// conditions leave, unless an index contains the property: see ``AttributeIndex/on(_:by:where:)``.
public protocol QueryableValue: CodableAttribute {
  /// Creates a value, with which the names are checked. A type whose properties all have defaults needs no
  /// implementation.
  init()

  /// The names of properties in the value's JSON, which are those of its coding keys. Properties that no query names
  /// can be omitted.
  static var jsonNames: [PartialKeyPath<Self>: String] { get }
}

extension QueryableValue {
  /// The names that are not those of the JSON.
  public static var _jsonNameProblems: [String] { JSONNameCheck.problems(of: Self.self) }
}
