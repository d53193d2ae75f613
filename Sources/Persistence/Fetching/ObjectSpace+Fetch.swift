public import Foundation

/// Changes of the context are seen, saved or not: those that are pending are written to the open transaction first.
/// Rows that are in memory already are not decoded again. Without `sort`, the order is that of creation.
extension ObjectSpace {
  /// Fetches all objects of a class.
  public func fetch<Object: ManagedObject>(
    _ type: Object.Type, sort: [Sort<Object>] = [], limit: Int? = nil
  ) throws(PersistenceError) -> [Object] {
    try fetch(FetchRequest(type, sort: sort, limit: limit))
  }

  /// Fetches all objects of a class, sorted by a property.
  public func fetch<Object: ManagedObject, Value: AttributeValue>(
    _ type: Object.Type, sort path: any KeyPath<Object, Value> & Sendable, limit: Int? = nil
  ) throws(PersistenceError) -> [Object] {
    try fetch(FetchRequest(type, sort: [.ascending(path)], limit: limit))
  }

  /// Fetches the objects that fulfil a condition.
  public func fetch<Object: ManagedObject>(
    _ type: Object.Type, where query: Query<Object>, sort: [Sort<Object>] = [], limit: Int? = nil
  ) throws(PersistenceError) -> [Object] {
    try fetch(FetchRequest(where: query, sort: sort, limit: limit))
  }

  /// Fetches the objects that fulfil a condition, sorted by a property.
  public func fetch<Object: ManagedObject, Value: AttributeValue>(
    _ type: Object.Type, where query: Query<Object>, sort path: any KeyPath<Object, Value> & Sendable, limit: Int? = nil
  ) throws(PersistenceError) -> [Object] {
    try fetch(FetchRequest(where: query, sort: [.ascending(path)], limit: limit))
  }

  /// Fetches the objects that fulfil a predicate.
  public func fetch<Object: ManagedObject>(
    _ type: Object.Type, where predicate: Predicate<Object>, sort: [Sort<Object>] = [], limit: Int? = nil
  ) throws(PersistenceError) -> [Object] {
    try fetch(FetchRequest(where: predicate, sort: sort, limit: limit))
  }

  /// Fetches the objects that fulfil a predicate, sorted by a property.
  public func fetch<Object: ManagedObject, Value: AttributeValue>(
    _ type: Object.Type, where predicate: Predicate<Object>, sort path: any KeyPath<Object, Value> & Sendable,
    limit: Int? = nil
  ) throws(PersistenceError) -> [Object] {
    try fetch(FetchRequest(where: predicate, sort: [.ascending(path)], limit: limit))
  }

  /// Fetches the objects that a request asks for.
  public func fetch<Object: ManagedObject>(_ request: FetchRequest<Object>) throws(PersistenceError) -> [Object] {
    let objects = try objects(for: request)
    if !request.prefetched.isEmpty {
      try reading { () throws(PersistenceError) in
        try prefetch(request.prefetched, of: objects, table(of: Object.self))
      }
    }
    return objects
  }

  /// The first object, in the order of `sort` and then of creation, that fulfils a condition.
  public func first<Object: ManagedObject>(
    _ type: Object.Type, where query: Query<Object>, sort: [Sort<Object>] = []
  ) throws(PersistenceError) -> Object? {
    try fetch(FetchRequest(where: query, sort: sort, limit: 1)).first
  }

  /// The first object, in the order of `sort` and then of creation, that fulfils a predicate.
  public func first<Object: ManagedObject>(
    _ type: Object.Type, where predicate: Predicate<Object>, sort: [Sort<Object>] = []
  ) throws(PersistenceError) -> Object? {
    try fetch(FetchRequest(where: predicate, sort: sort, limit: 1)).first
  }
}
