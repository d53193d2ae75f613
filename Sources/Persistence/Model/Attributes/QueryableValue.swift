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
/// You can then write conditions such as `$0.address.city == "Bonn"`. You can also select properties of the value, sort
/// by them and group by them, as in `.ascending { $0.address.city }`. A property that is used in a query must have one
/// of the following types, or an optional of one of them: `String`, `Bool`, `Double`, `Int`, `Int64` or a smaller
/// integer type, an enumeration or other type whose raw value has one of the preceding types, or another
/// `QueryableValue` type. A query that uses a property of any other type fails with
/// ``PersistenceError/unsupportedQuery(_:)``. In a query, a property is nil if it is missing or null in the JSON, or if
/// the whole value is nil.
///
/// To check ``jsonNames``, opening a store creates a value with ``init()`` and encodes the value. If the JSON does not
/// contain one of the properties under the name that ``jsonNames`` specifies, opening throws
/// ``PersistenceError/invalidSchema(_:)``.
///
/// A query that uses a property reads the JSON of every row that matches the query's other conditions, unless an index
/// contains the property. To create an index that contains a property, use ``AttributeIndex/on(_:by:where:)``.
nonisolated public protocol QueryableValue: CodableAttribute {
  /// Creates a sample value for checking ``jsonNames``. A type whose properties all have default values does not need
  /// to implement this initializer.
  init()

  /// The names that the properties have in the value's JSON. These are the names of the coding keys. Properties that no
  /// query uses can be omitted.
  static var jsonNames: [PartialKeyPath<Self>: String] { get }
}

extension QueryableValue {
  /// Descriptions of the names in ``jsonNames`` that do not match the JSON.
  public static var _jsonNameProblems: [String] { JSONNameCheck.problems(of: Self.self) }
}
