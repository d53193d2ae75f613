public import Foundation

extension ViewContext {
  /// Fetches all objects of a class. See ``ObjectSpace/fetch(_:sort:limit:)``.
  public func fetch<Object: ManagedObject>(
    _ type: Object.Type, sort: [Sort<Object>] = [], limit: Int? = nil
  ) throws(PersistenceError) -> [Object] {
    try objects.fetch(type, sort: sort, limit: limit)
  }

  /// Fetches the objects that fulfil a condition. See ``ObjectSpace/fetch(_:where:sort:limit:)``.
  public func fetch<Object: ManagedObject>(
    _ type: Object.Type, where query: Query<Object>, sort: [Sort<Object>] = [], limit: Int? = nil
  ) throws(PersistenceError) -> [Object] {
    try objects.fetch(type, where: query, sort: sort, limit: limit)
  }

  /// Fetches the objects that fulfil a predicate. See ``ObjectSpace/fetch(_:where:sort:limit:)``.
  public func fetch<Object: ManagedObject>(
    _ type: Object.Type, where predicate: Predicate<Object>, sort: [Sort<Object>] = [], limit: Int? = nil
  ) throws(PersistenceError) -> [Object] {
    try objects.fetch(type, where: predicate, sort: sort, limit: limit)
  }

  /// Fetches what a request asks for. See ``ObjectSpace/fetch(_:)``.
  public func fetch<Object: ManagedObject>(_ request: FetchRequest<Object>) throws(PersistenceError) -> [Object] {
    try objects.fetch(request)
  }

  /// How many objects fit a request. None of them is fetched.
  public func count<Object: ManagedObject>(_ request: FetchRequest<Object>) throws(PersistenceError) -> Int {
    try objects.count(request)
  }

  /// Whether any object fits a request. None is fetched.
  public func exists<Object: ManagedObject>(_ request: FetchRequest<Object>) throws(PersistenceError) -> Bool {
    try objects.exists(request)
  }
}
