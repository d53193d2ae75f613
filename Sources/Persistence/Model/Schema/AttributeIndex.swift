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
    case term(any IndexTerm)
  }

  let parts: [Part]
  let isUnique: Bool
  /// The object is its scope 0.
  let condition: (any IndexTerm)?
}

/// A term or a condition of an index, which is an expression of queries.
protocol IndexTerm {
  /// What the term reads of a class, or nil if no index can contain it.
  func indexSource(in entity: Entity) -> IndexSource?

  func indexCondition(of entity: Entity) throws(UnsupportedQueryError) -> IndexCondition
}

struct IndexSource {
  let slot: Int
  /// Nil for the whole value.
  var field: (path: FieldPath, storage: StorageClass)?
}
