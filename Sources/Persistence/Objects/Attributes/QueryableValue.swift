/// A ``CodableAttribute`` whose properties can be used in queries.
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
/// You can then write conditions such as `$0.address.city == "Bonn"`. You can also select, sort by and group by such a
/// property, as in `.ascending { $0.address.city }`. The property's type can be `String`, `Bool`, `Double`, `Int`,
/// `Int64`, a smaller integer type, an enumeration or another type with a raw value of one of these types, another
/// queryable value, or an optional of any of these. A query that uses any other property fails with
/// ``PersistenceError/unsupportedQuery(_:)``. A property that is missing or null in the JSON is nil, as are all
/// properties of a nil value.
///
/// Opening a store encodes a value created by ``init()``, and throws ``PersistenceError/invalidSchema(_:)`` if the
/// value's JSON does not contain the properties under their names. Unless an index contains the property, a query reads
/// the JSON of each row that matches its other conditions. To create such an index, use
/// ``AttributeIndex/on(_:by:where:)``.
public protocol QueryableValue: CodableAttribute {
  /// Creates a value that is used to check the names. A type whose properties all have default values does not need to
  /// implement this initializer.
  init()

  /// The names of properties in the value's JSON, which are the names of its coding keys. Properties that no query uses
  /// can be omitted.
  static var jsonNames: [PartialKeyPath<Self>: String] { get }
}

extension QueryableValue {
  /// The names that do not match the JSON.
  public static var _jsonNameProblems: [String] { JSONNameCheck.problems(of: Self.self) }
}
