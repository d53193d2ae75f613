public import Foundation

/// Which objects of a class to fetch, in which order, and how many.
///
/// ```swift
/// var request = FetchRequest(Movie.self, where: \.kind == .film, sort: [.descending(\.popularity)])
/// request.limit = 20
/// let top = try objects.fetch(request)
/// ```
///
/// A request is a value without a store: it can be kept, and used in any context.
public struct FetchRequest<Object: ManagedObject>: Sendable {
  /// nil for all objects.
  var condition: Expression?
  /// What to sort by. Objects that are equal in all respects come in the order of their ids, so that the order is
  /// total.
  public var sort: [Sort<Object>]
  /// The most objects to fetch; nil for all.
  public var limit: Int?
  /// How many objects, in the order given, to leave out first.
  public var offset: Int
  /// How many rows at a time ``ObjectSpace/forEach(_:_:)`` reads; and for how many of the objects at a time a
  /// relationship is fetched, when one of them is asked for it.
  public var batchSize = 256
  /// To-many relationships whose members are fetched with the objects: one query for each relationship.
  var prefetched: [any PropertyPath] = []

  /// A request for the objects that fulfil a condition.
  public init(
    _ type: Object.Type = Object.self, where query: Query<Object>, sort: [Sort<Object>] = [], limit: Int? = nil,
    offset: Int = 0
  ) {
    condition = query.expression
    self.sort = sort
    self.limit = limit
    self.offset = offset
  }

  /// A request for the objects that fulfil a predicate.
  ///
  /// - Throws: ``PersistenceError/refused(_:)``, naming the part of the predicate that has no translation.
  public init(
    _ type: Object.Type = Object.self, where predicate: Predicate<Object>, sort: [Sort<Object>] = [], limit: Int? = nil,
    offset: Int = 0
  ) throws(PersistenceError) {
    let query = Query(predicate)
    if let refusal = query.expression.firstRefusal { throw .refused(refusal) }
    self.init(where: query, sort: sort, limit: limit, offset: offset)
  }

  /// A request for all objects.
  public init(_ type: Object.Type, sort: [Sort<Object>] = [], limit: Int? = nil, offset: Int = 0) {
    self.sort = sort
    self.limit = limit
    self.offset = offset
  }

  var hasBounds: Bool { limit != nil || offset > 0 }

  @inline(__always) func add(to shape: inout QueryShape) {
    shape.add(Object.self)
    if let condition { shape.add(condition) }
    for sort in sort {
      shape.add(sort.isDescending ? -1 : -2)
      shape.add(sort.keyPath)
    }
    guard hasBounds else { return }
    shape.add(-3)
    shape.add(argument: .integer(limit.map { Int64(max(0, $0)) } ?? -1))
    shape.add(argument: .integer(Int64(max(0, offset))))
  }
}
