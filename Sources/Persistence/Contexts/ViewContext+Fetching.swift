public import Foundation

/// The most common ways to ask; ``ViewContext/objects`` has all of them. The caller waits for the store.
extension ViewContext {
  /// Fetches all objects of a class.
  public func fetch<Object: ManagedObject>(
    _ type: Object.Type, sort: [Sort<Object>] = [], limit: Int? = nil
  ) throws(PersistenceError) -> [Object] {
    try objects.fetch(type, sort: sort, limit: limit)
  }

  /// Fetches the objects that fulfil a condition.
  public func fetch<Object: ManagedObject>(
    _ type: Object.Type, where query: Query<Object>, sort: [Sort<Object>] = [], limit: Int? = nil
  ) throws(PersistenceError) -> [Object] {
    try objects.fetch(type, where: query, sort: sort, limit: limit)
  }

  /// Fetches the objects that fulfil a predicate.
  public func fetch<Object: ManagedObject>(
    _ type: Object.Type, where predicate: Predicate<Object>, sort: [Sort<Object>] = [], limit: Int? = nil
  ) throws(PersistenceError) -> [Object] {
    try objects.fetch(type, where: predicate, sort: sort, limit: limit)
  }

  /// Fetches the objects that a request asks for.
  public func fetch<Object: ManagedObject>(_ request: FetchRequest<Object>) throws(PersistenceError) -> [Object] {
    try objects.fetch(request)
  }

  /// How many objects a request would fetch.
  public func count<Object: ManagedObject>(_ request: FetchRequest<Object>) throws(PersistenceError) -> Int {
    try objects.count(request)
  }
}
