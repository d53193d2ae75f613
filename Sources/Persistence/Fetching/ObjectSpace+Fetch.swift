public import Foundation

/// Fetches include the context's changes, saved or not. Outside `persist`, a fetch writes nothing to the store, and
/// waits for other contexts only if the store is in memory. A value that cannot be stored, such as NaN, counts as nil,
/// so a condition on it is false. Rows that are already in memory are not decoded again. Without `sort`, objects are
/// returned in order of creation.
extension ObjectSpace {
  /// Fetches all objects of a class.
  public func fetch<Object: ManagedObject>(
    _ type: Object.Type, sort: [Sort<Object>] = [], limit: Int? = nil
  ) throws(PersistenceError) -> [Object] {
    try fetch(FetchDescriptor(type, sort: sort, limit: limit))
  }

  /// Fetches all objects of a class, sorted by a property.
  public func fetch<Object: ManagedObject, Value: AttributeValue>(
    _ type: Object.Type, sort path: any KeyPath<Object, Value> & Sendable, limit: Int? = nil
  ) throws(PersistenceError) -> [Object] {
    try fetch(FetchDescriptor(type, sort: [.ascending(path)], limit: limit))
  }

  /// Fetches the objects that match a condition.
  public func fetch<Object: ManagedObject>(
    _ type: Object.Type, where condition: (Row<Object>) -> Query<Object>, sort: [Sort<Object>] = [], limit: Int? = nil
  ) throws(PersistenceError) -> [Object] {
    try fetch(FetchDescriptor(where: condition, sort: sort, limit: limit))
  }

  /// Fetches the objects that match a query.
  public func fetch<Object: ManagedObject>(
    _ type: Object.Type, matching query: Query<Object>, sort: [Sort<Object>] = [], limit: Int? = nil
  ) throws(PersistenceError) -> [Object] {
    try fetch(FetchDescriptor(matching: query, sort: sort, limit: limit))
  }

  /// Fetches the objects that match a predicate.
  public func fetch<Object: ManagedObject>(
    _ type: Object.Type, matching predicate: Predicate<Object>, sort: [Sort<Object>] = [], limit: Int? = nil
  ) throws(PersistenceError) -> [Object] {
    try fetch(FetchDescriptor(matching: predicate, sort: sort, limit: limit))
  }

  /// Fetches the objects that a request describes.
  public func fetch<Object: ManagedObject>(_ request: FetchDescriptor<Object>) throws(PersistenceError) -> [Object] {
    let objects = try objects(for: request)
    if !request.prefetched.isEmpty {
      try reading { () throws(PersistenceError) in
        try prefetch(request.prefetched, of: objects, registry(of: Object.self))
      }
    }
    return objects
  }

  /// Returns the first object that matches a condition, or nil if there is none. Objects are sorted by `sort` and then
  /// by order of creation.
  public func first<Object: ManagedObject>(
    _ type: Object.Type, where condition: (Row<Object>) -> Query<Object>, sort: [Sort<Object>] = []
  ) throws(PersistenceError) -> Object? {
    try fetch(FetchDescriptor(where: condition, sort: sort, limit: 1)).first
  }

  /// Returns the first object that matches a query, or the first object of a class if no query is given. The result is
  /// nil if there is no such object. Objects are sorted by `sort` and then by order of creation.
  public func first<Object: ManagedObject>(
    _ type: Object.Type, matching query: Query<Object> = .all, sort: [Sort<Object>] = []
  ) throws(PersistenceError) -> Object? {
    try fetch(FetchDescriptor(matching: query, sort: sort, limit: 1)).first
  }

  /// Returns the first object that matches a predicate, or nil if there is none. Objects are sorted by `sort` and then
  /// by order of creation.
  public func first<Object: ManagedObject>(
    _ type: Object.Type, matching predicate: Predicate<Object>, sort: [Sort<Object>] = []
  ) throws(PersistenceError) -> Object? {
    try fetch(FetchDescriptor(matching: predicate, sort: sort, limit: 1)).first
  }
}
