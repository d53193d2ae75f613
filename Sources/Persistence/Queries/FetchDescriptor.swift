public import Foundation

/// A request that specifies which objects of a class to fetch, in what order, and how many.
///
/// ```swift
/// var request = FetchDescriptor(Movie.self, where: { $0.kind == .film }, sort: [.descending(\.popularity)])
/// request.limit = 20
/// let top = try objects.fetch(request)
/// ```
///
/// A request is a value that does not depend on a store, so you can keep it and use it in any context.
public struct FetchDescriptor<Object: ManagedObject>: Sendable {
  /// nil for all objects.
  var condition: QueryExpression?
  /// The sort order. Objects with equal values for all sort keys are sorted by id, so the order is always
  /// deterministic.
  public var sort: [Sort<Object>]
  /// The maximum number of objects to fetch, or nil for all.
  public var limit: Int?
  /// The number of objects to skip, in sorted order, before the first fetched object.
  public var offset: Int
  /// The number of objects in a batch. ``ObjectSpace/forEach(_:_:)`` reads this many rows at a time. When a
  /// relationship of one object is first needed, that relationship is fetched for up to this many objects at once.
  public var batchSize = 256
  /// Relationships that are fetched with the objects.
  var prefetched: [any PropertyPath] = []

  /// Creates a request for the objects that match a condition.
  public init(
    _ type: Object.Type = Object.self, where condition: (Row<Object>) -> Query<Object>, sort: [Sort<Object>] = [],
    limit: Int? = nil, offset: Int = 0
  ) {
    self.condition = ScopedExpression.condition { condition(Row(_number: $0)).scoped }.asCompleteCondition
    self.sort = sort
    self.limit = limit
    self.offset = offset
  }

  /// Creates a request for the objects that match a query.
  public init(
    _ type: Object.Type = Object.self, matching query: Query<Object>, sort: [Sort<Object>] = [], limit: Int? = nil,
    offset: Int = 0
  ) {
    condition = query.scoped.asCompleteCondition
    self.sort = sort
    self.limit = limit
    self.offset = offset
  }

  /// Creates a request for the objects that match a predicate.
  ///
  /// - Throws: ``PersistenceError/unsupportedQuery(_:)`` if part of the predicate cannot be translated. The error
  ///   identifies the part that cannot be translated.
  public init(
    _ type: Object.Type = Object.self, matching predicate: Predicate<Object>, sort: [Sort<Object>] = [],
    limit: Int? = nil, offset: Int = 0
  ) throws(PersistenceError) {
    let query = Query(predicate)
    if let refusal = query.scoped.expression.firstRefusal { throw .unsupportedQuery(refusal) }
    self.init(matching: query, sort: sort, limit: limit, offset: offset)
  }

  /// Creates a request for all objects of a class.
  public init(_ type: Object.Type, sort: [Sort<Object>] = [], limit: Int? = nil, offset: Int = 0) {
    self.sort = sort
    self.limit = limit
    self.offset = offset
  }

  var hasBounds: Bool { limit != nil || offset > 0 }

  /// As SQLite expects them: a negative limit means none.
  var bounds: (limit: Int64, offset: Int64)? {
    hasBounds ? (limit.map { Int64(max(0, $0)) } ?? -1, Int64(max(0, offset))) : nil
  }

  /// Whether both requests have the same results. False for key paths of different literals.
  package func isSame(as other: FetchDescriptor) -> Bool {
    var (own, others) = (QueryShape(), QueryShape())
    add(to: &own)
    other.add(to: &others)
    return own == others && own.arguments == others.arguments
  }

  @inline(__always) func add(to shape: inout QueryShape) {
    shape.add(Object.self)
    if let condition { shape.add(condition) }
    for sort in sort {
      shape.add((sort.isDescending ? -10 : -11) - (sort.movesNulls ? 2 : 0))
      shape.add(sort.key)
    }
    guard let bounds else { return }
    shape.add(-3)
    shape.add(argument: .integer(bounds.limit))
    shape.add(argument: .integer(bounds.offset))
  }
}
