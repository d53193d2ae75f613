public import Foundation

/// Methods that count objects without fetching them.
extension ObjectSpace {
  /// Counts the objects of a class that match a condition.
  public func count<Object: ManagedObject>(
    _ type: Object.Type, where condition: (Row<Object>) -> Query<Object>
  ) throws(PersistenceError) -> Int {
    try count(FetchDescriptor(where: condition))
  }

  /// Counts the objects that match a query, or all objects of a class if no query is given.
  public func count<Object: ManagedObject>(
    _ type: Object.Type, matching query: Query<Object> = .all
  ) throws(PersistenceError) -> Int {
    try count(FetchDescriptor(matching: query))
  }

  /// Counts the objects that match a predicate.
  public func count<Object: ManagedObject>(
    _ type: Object.Type, matching predicate: Predicate<Object>
  ) throws(PersistenceError) -> Int {
    try count(FetchDescriptor(matching: predicate))
  }

  /// Counts the objects that a request describes.
  public func count<Object: ManagedObject>(_ request: FetchDescriptor<Object>) throws(PersistenceError) -> Int {
    try Int(number(for: request) { $0.counting } ?? 0)
  }

  /// Returns whether any object of a class matches a condition.
  public func exists<Object: ManagedObject>(
    _ type: Object.Type, where condition: (Row<Object>) -> Query<Object>
  ) throws(PersistenceError) -> Bool {
    try exists(FetchDescriptor(where: condition))
  }

  /// Returns whether a request would fetch any objects.
  public func exists<Object: ManagedObject>(_ request: FetchDescriptor<Object>) throws(PersistenceError) -> Bool {
    var first = request
    // Lets the plan stop at the first row.
    if !request.hasBounds { (first.sort, first.limit) = ([], 1) }
    return try number(for: first) { "SELECT EXISTS (SELECT 1\($0.ordered))" } == 1
  }

  private func number<Object: ManagedObject>(
    for request: FetchDescriptor<Object>, _ text: (FetchPlan) -> String
  ) throws(PersistenceError) -> Int64? {
    try statement(for: request, text) { (statement) throws(PersistenceError) in try statement.integer() }
  }
}
