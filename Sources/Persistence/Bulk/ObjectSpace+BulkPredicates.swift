public import Foundation

extension ObjectSpace {
  /// Sets attributes of all objects that match a predicate. In all other respects, this method behaves like the variant
  /// that takes a condition.
  @discardableResult
  public func update<Object: ManagedObject>(
    _ type: Object.Type, matching predicate: Predicate<Object>, set assignments: [AttributeAssignment<Object>]
  ) throws(PersistenceError) -> Int {
    try update(type, matching: Query(predicate), set: assignments)
  }

  /// Deletes all objects that match a predicate. In all other respects, this method behaves like the variant that takes
  /// a condition.
  @discardableResult
  public func delete<Object: ManagedObject>(
    _ type: Object.Type, matching predicate: Predicate<Object>
  ) throws(PersistenceError) -> Int {
    try delete(type, matching: Query(predicate))
  }
}
