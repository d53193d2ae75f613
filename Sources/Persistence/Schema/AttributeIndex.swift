/// An index over several attributes of a class or over some of its objects, or values that must be unique.
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
/// An index can contain to-one relationships. For a single attribute of all objects, use ``AttributeOption/unique`` or
/// ``AttributeOption/indexed``.
///
/// **Conditions.** An index with a condition contains only the objects that match it, which makes it smaller and saving
/// others faster. A query uses it if the same condition is one of those that `&&` combines, written with the same
/// operators. The condition compares the object's own attributes and to-one relationships with values or with each
/// other; of texts it can also use `hasPrefix` and `contains`. A schema with any other condition is refused with
/// ``PersistenceError/invalidSchema(_:)``.
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

  /// Creates an index. The index speeds up queries that compare the first of these properties, or the first and the
  /// second, and so on.
  ///
  /// - Parameters:
  ///   - keyPaths: Attributes and to-one relationships.
  ///   - condition: Which objects the index contains. Nil for all.
  public static func on<Object: ManagedObject>(
    _ keyPaths: PartialKeyPath<Object>..., where condition: ((Row<Object>) -> Query<Object>)? = nil
  ) -> AttributeIndex {
    AttributeIndex(parts: keyPaths.map { .path($0) }, isUnique: false, condition: expression(of: condition))
  }

  /// Creates an index over terms, which can be properties of a ``QueryableValue``, as in
  /// `.on(Contact.self, by: { ($0.address.city, $0.name) })`.
  ///
  /// For a property within a value, the store keeps a column of its own, which it writes together with the value.
  ///
  /// - Parameters:
  ///   - type: The class.
  ///   - terms: Attributes, to-one relationships, and properties within values.
  ///   - condition: Which objects the index contains. Nil for all.
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
  /// - Parameters:
  ///   - keyPaths: Attributes and to-one relationships.
  ///   - condition: Which objects the constraint applies to. Nil for all. With a condition, neither an import nor
  ///     ``ObjectSpace/findOrInsert(_:_:_:)->(Object,Bool)`` can look up objects by these properties.
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
