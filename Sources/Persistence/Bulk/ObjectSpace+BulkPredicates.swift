public import Foundation

extension ObjectSpace {
  /// Sets attributes of all objects that match a predicate. Otherwise, this is the same as the variant that takes a
  /// query.
  @discardableResult
  public func update<Object: ManagedObject>(
    _ type: Object.Type, where predicate: Predicate<Object>, set assignments: [AttributeAssignment<Object>]
  ) throws(PersistenceError) -> Int {
    try update(type, where: Query(predicate), set: assignments)
  }

  /// Deletes all objects that match a predicate. Otherwise, this is the same as the variant that takes a query.
  @discardableResult
  public func delete<Object: ManagedObject>(
    _ type: Object.Type, where predicate: Predicate<Object>
  ) throws(PersistenceError) -> Int {
    try delete(type, where: Query(predicate))
  }
}
