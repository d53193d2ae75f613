/// An index on several attributes of a class, an index that contains only some of the objects, or a uniqueness
/// constraint.
///
/// ```swift
/// final class Episode: ManagedObject {
///   @Attribute var season = 1
///   @Attribute var number = 1
///   @Attribute var isSeen = false
///   @Attribute var airDate: Date?
///   override class var indexes: [AttributeIndex] {
///     [
///       .unique(\Episode.season, \Episode.number),
///       .on(\Episode.airDate, where: { !$0.isSeen }),
///     ]
///   }
/// }
/// ```
///
/// An index can also contain to-one relationships. To index a single attribute of all objects, use
/// ``AttributeOption/unique`` or ``AttributeOption/indexed``.
///
/// **Conditions.** An index with a condition contains only the objects that match the condition. The index is therefore
/// smaller, and other objects can be saved faster. A query uses an index with a condition if the query's own condition
/// is the same as the index's condition, or combines the index's condition with other conditions by using `&&`. Both
/// conditions must be written with the same operators.
///
/// The condition of an index can compare the object's own attributes and to-one relationships with values or with each
/// other. For strings, the condition can also use `hasPrefix` and `contains`. If an index has any other condition,
/// opening a store with the schema throws ``PersistenceError/invalidSchema(_:)``. The same error is thrown if a
/// condition contains one of the few floating-point numbers that SQLite does not read exactly.
public struct AttributeIndex {
  enum Part {
    case path(AnyKeyPath)
    case folded(AnyKeyPath)
    /// The object is its scope 0.
    case term(QueryExpression)
  }

  let parts: [Part]
  let isUnique: Bool
  /// The object is its scope 0.
  let condition: QueryExpression?

  /// Creates an index. The index speeds up queries with conditions on the first property, on the first two properties,
  /// and so on.
  ///
  /// - Parameters:
  ///   - keyPaths: The key paths of attributes and to-one relationships.
  ///   - condition: A condition that selects the objects in the index, or nil for all objects.
  public static func on<Object: ManagedObject>(
    _ keyPaths: PartialKeyPath<Object>..., where condition: ((Row<Object>) -> Query<Object>)? = nil
  ) -> AttributeIndex {
    AttributeIndex(parts: keyPaths.map { .path($0) }, isUnique: false, condition: expression(of: condition))
  }

  /// Creates an index on terms. A term can be a property of a ``QueryableValue``, as in
  /// `.on(Contact.self, by: { ($0.address.city, $0.name) })`.
  ///
  /// The store keeps a copy of each indexed property of a queryable value in a separate column, which it writes
  /// together with the value.
  ///
  /// - Parameters:
  ///   - type: The class that has the index.
  ///   - terms: A closure that returns attributes, to-one relationships, and properties of queryable values.
  ///   - condition: A condition that selects the objects in the index, or nil for all objects.
  public static func on<Object: ManagedObject, each Value: QueryValue>(
    _ type: Object.Type, by terms: (Row<Object>) -> (repeat Term<Object, each Value>),
    where condition: ((Row<Object>) -> Query<Object>)? = nil
  ) -> AttributeIndex {
    let terms = SelectedTerm.all(terms).map { Part.term($0.expression) }
    return AttributeIndex(parts: terms, isUnique: false, condition: expression(of: condition))
  }

  /// Creates a uniqueness constraint. No two objects of the class can have the same combination of values, except for
  /// combinations that contain nil.
  ///
  /// Two objects can temporarily have the same combination until they are saved, as with ``AttributeOption/unique``.
  /// However, if the combination consists only of relationships, the next fetch in the closure already throws
  /// ``PersistenceError/notUnique(_:)`` if two objects still have the same combination.
  ///
  /// - Parameters:
  ///   - keyPaths: The key paths of attributes and to-one relationships.
  ///   - folded: The key paths of attributes of type `String` or `String?` whose values are compared without regard to
  ///     case and diacritics, as with ``AttributeOption/uniqueFolded``.
  ///   - condition: A condition that selects the objects to which the constraint applies, or nil for all objects. If
  ///     there is a condition, imports and ``ObjectSpace/findOrInsert(_:_:_:)->(Object,Bool)`` cannot look up objects
  ///     by these properties.
  public static func unique<Object: ManagedObject>(
    _ keyPaths: PartialKeyPath<Object>..., folding folded: PartialKeyPath<Object>...,
    where condition: ((Row<Object>) -> Query<Object>)? = nil
  ) -> AttributeIndex {
    let parts = keyPaths.map { Part.path($0) } + folded.map { .folded($0) }
    return AttributeIndex(parts: parts, isUnique: true, condition: expression(of: condition))
  }

  private static func expression<Object: ManagedObject>(
    of condition: ((Row<Object>) -> Query<Object>)?
  ) -> QueryExpression? {
    condition.map { Query($0).scoped.asCompleteCondition }
  }
}
