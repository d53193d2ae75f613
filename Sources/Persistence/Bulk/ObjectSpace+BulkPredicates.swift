public import Foundation

extension ObjectSpace {
  /// Gives attributes of all objects that fulfil a predicate new values, as the form with a query does.
  @discardableResult
  public func update<Object: ManagedObject>(
    _ type: Object.Type, where predicate: Predicate<Object>, set assignments: [AttributeAssignment<Object>]
  ) throws(PersistenceError) -> Int {
    try update(type, where: Query(predicate), set: assignments)
  }

  /// Deletes all objects that fulfil a predicate, as the form with a query does.
  @discardableResult
  public func delete<Object: ManagedObject>(
    _ type: Object.Type, where predicate: Predicate<Object>
  ) throws(PersistenceError) -> Int {
    try delete(type, where: Query(predicate))
  }
}
