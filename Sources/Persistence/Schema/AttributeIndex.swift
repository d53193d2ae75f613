/// An index on several attributes of a class or on some of its objects, or a uniqueness constraint.
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
/// An index can contain to-one relationships. To index a single attribute of all objects, use
/// ``AttributeOption/unique`` or ``AttributeOption/indexed``.
///
/// **Conditions.** An index with a condition contains only the objects that match the condition, which makes the index
/// smaller and saving other objects faster. A query uses such an index if one of the conditions that the query combines
/// with `&&` is the index's condition, written with the same operators. The condition compares the object's own
/// attributes and to-one relationships with values or with each other. For strings, it can also use `hasPrefix` and
/// `contains`. Opening a store with a schema that has any other condition throws
/// ``PersistenceError/invalidSchema(_:)``, and so does a condition with one of the few floating-point numbers that
/// SQLite does not read exactly.
public struct AttributeIndex {
  enum Part {
    case path(AnyKeyPath)
    /// The object is its scope 0.
    case term(QueryExpression)
  }

  let parts: [Part]
  let isUnique: Bool
  /// The object is its scope 0.
  let condition: QueryExpression?

  /// Creates an index. The index speeds up queries that compare the first property, or the first and the second, and so
  /// on.
  ///
  /// - Parameters:
  ///   - keyPaths: Attributes and to-one relationships.
  ///   - condition: A condition that selects the objects in the index, or nil for all objects.
  public static func on<Object: ManagedObject>(
    _ keyPaths: PartialKeyPath<Object>..., where condition: ((Row<Object>) -> Query<Object>)? = nil
  ) -> AttributeIndex {
    AttributeIndex(parts: keyPaths.map { .path($0) }, isUnique: false, condition: expression(of: condition))
  }

  /// Creates an index on terms, which can be properties of a ``QueryableValue``, as in
  /// `.on(Contact.self, by: { ($0.address.city, $0.name) })`.
  ///
  /// The store keeps a property within a value in a separate column, which it writes together with the value.
  ///
  /// - Parameters:
  ///   - type: The class.
  ///   - terms: Attributes, to-one relationships, and properties within values.
  ///   - condition: A condition that selects the objects in the index, or nil for all objects.
  public static func on<Object: ManagedObject, each Value: QueryValue>(
    _ type: Object.Type, by terms: (Row<Object>) -> (repeat Term<Object, each Value>),
    where condition: ((Row<Object>) -> Query<Object>)? = nil
  ) -> AttributeIndex {
    let terms = SelectedTerm.all(terms).map { Part.term($0.expression) }
    return AttributeIndex(parts: terms, isUnique: false, condition: expression(of: condition))
  }

  /// Creates a uniqueness constraint. No two objects of the class may have the same combination of values, except for
  /// combinations that contain nil.
  ///
  /// Between assignments, two objects may temporarily have the same combination, as with ``AttributeOption/unique``. If
  /// the combination consists of relationships alone, this ends with the next fetch in the closure, which throws
  /// ``PersistenceError/notUnique(_:)`` if two objects still have the same combination.
  ///
  /// - Parameters:
  ///   - keyPaths: Attributes and to-one relationships.
  ///   - condition: A condition that selects the objects to which the constraint applies, or nil for all objects. With
  ///     a condition, neither an import nor ``ObjectSpace/findOrInsert(_:_:_:)->(Object,Bool)`` can look up objects by
  ///     these properties.
  public static func unique<Object: ManagedObject>(
    _ keyPaths: PartialKeyPath<Object>..., where condition: ((Row<Object>) -> Query<Object>)? = nil
  ) -> AttributeIndex {
    AttributeIndex(parts: keyPaths.map { .path($0) }, isUnique: true, condition: expression(of: condition))
  }

  private static func expression<Object: ManagedObject>(
    of condition: ((Row<Object>) -> Query<Object>)?
  ) -> QueryExpression? {
    condition.map { Query($0).scoped.asCompleteCondition }
  }
}
