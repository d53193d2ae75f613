public import Foundation

/// The most common fetch methods of ``ObjectSpace``, for the main actor. All methods of ``ObjectSpace`` are available
/// through ``ViewContext/objects``.
///
/// Each call blocks the caller until the store responds.
extension ViewContext {
  /// Fetches all objects of a class.
  public func fetch<Object: ManagedObject>(
    _ type: Object.Type, sort: [Sort<Object>] = [], limit: Int? = nil
  ) throws(PersistenceError) -> [Object] {
    try objects.fetch(type, sort: sort, limit: limit)
  }

  /// Fetches the objects that match a condition.
  public func fetch<Object: ManagedObject>(
    _ type: Object.Type, where condition: (Row<Object>) -> Query<Object>, sort: [Sort<Object>] = [], limit: Int? = nil
  ) throws(PersistenceError) -> [Object] {
    try objects.fetch(type, where: condition, sort: sort, limit: limit)
  }

  /// Fetches the objects that match a query.
  public func fetch<Object: ManagedObject>(
    _ type: Object.Type, matching query: Query<Object>, sort: [Sort<Object>] = [], limit: Int? = nil
  ) throws(PersistenceError) -> [Object] {
    try objects.fetch(type, matching: query, sort: sort, limit: limit)
  }

  /// Fetches the objects that match a predicate.
  public func fetch<Object: ManagedObject>(
    _ type: Object.Type, matching predicate: Predicate<Object>, sort: [Sort<Object>] = [], limit: Int? = nil
  ) throws(PersistenceError) -> [Object] {
    try objects.fetch(type, matching: predicate, sort: sort, limit: limit)
  }

  /// Fetches the objects that a request describes.
  public func fetch<Object: ManagedObject>(_ request: FetchDescriptor<Object>) throws(PersistenceError) -> [Object] {
    try objects.fetch(request)
  }

  /// Returns the first object that matches a condition, or nil if there is none. Objects are sorted by `sort` and then
  /// by order of creation.
  public func first<Object: ManagedObject>(
    _ type: Object.Type, where condition: (Row<Object>) -> Query<Object>, sort: [Sort<Object>] = []
  ) throws(PersistenceError) -> Object? {
    try objects.first(type, where: condition, sort: sort)
  }

  /// Returns the first object that matches a query, or the first object of a class if no query is given.
  public func first<Object: ManagedObject>(
    _ type: Object.Type, matching query: Query<Object> = .all, sort: [Sort<Object>] = []
  ) throws(PersistenceError) -> Object? {
    try objects.first(type, matching: query, sort: sort)
  }

  /// Returns the first object that matches a predicate, or nil if there is none.
  public func first<Object: ManagedObject>(
    _ type: Object.Type, matching predicate: Predicate<Object>, sort: [Sort<Object>] = []
  ) throws(PersistenceError) -> Object? {
    try objects.first(type, matching: predicate, sort: sort)
  }

  /// Counts the objects of a class that match a condition, without fetching them.
  public func count<Object: ManagedObject>(
    _ type: Object.Type, where condition: (Row<Object>) -> Query<Object>
  ) throws(PersistenceError) -> Int {
    try objects.count(type, where: condition)
  }

  /// Counts the objects that match a query, or all objects of a class if no query is given, without fetching them.
  public func count<Object: ManagedObject>(
    _ type: Object.Type, matching query: Query<Object> = .all
  ) throws(PersistenceError) -> Int {
    try objects.count(type, matching: query)
  }

  /// Counts the objects of a class that match a predicate, without fetching them.
  public func count<Object: ManagedObject>(
    _ type: Object.Type, matching predicate: Predicate<Object>
  ) throws(PersistenceError) -> Int {
    try objects.count(type, matching: predicate)
  }

  /// Counts the objects that a request describes, without fetching them.
  public func count<Object: ManagedObject>(_ request: FetchDescriptor<Object>) throws(PersistenceError) -> Int {
    try objects.count(request)
  }
}
