public import Foundation

/// What is counted is not fetched.
extension ObjectSpace {
  /// How many objects of a class there are.
  public func count<Object: ManagedObject>(_ type: Object.Type) throws(PersistenceError) -> Int {
    try count(FetchRequest(type))
  }

  /// How many objects fulfil a condition.
  public func count<Object: ManagedObject>(
    _ type: Object.Type, where query: Query<Object>
  ) throws(PersistenceError) -> Int {
    try count(FetchRequest(where: query))
  }

  /// How many objects fulfil a predicate.
  public func count<Object: ManagedObject>(
    _ type: Object.Type, where predicate: Predicate<Object>
  ) throws(PersistenceError) -> Int {
    try count(FetchRequest(where: predicate))
  }

  /// How many objects a request would fetch.
  public func count<Object: ManagedObject>(_ request: FetchRequest<Object>) throws(PersistenceError) -> Int {
    try Int(number(for: request) { "SELECT count(*)" + $0.unordered } ?? 0)
  }

  /// Whether an object of a class fulfils a condition.
  public func exists<Object: ManagedObject>(
    _ type: Object.Type, where query: Query<Object>
  ) throws(PersistenceError) -> Bool {
    try exists(FetchRequest(where: query))
  }

  /// Whether an object of a class fulfils a predicate.
  public func exists<Object: ManagedObject>(
    _ type: Object.Type, where predicate: Predicate<Object>
  ) throws(PersistenceError) -> Bool {
    try exists(FetchRequest(where: predicate))
  }

  /// Whether a request would fetch anything.
  public func exists<Object: ManagedObject>(_ request: FetchRequest<Object>) throws(PersistenceError) -> Bool {
    var first = request
    // So the request is known for one that need not read all rows.
    if !request.hasBounds { (first.sort, first.limit) = ([], 1) }
    return try number(for: first) { "SELECT EXISTS (SELECT 1\($0.ordered))" } == 1
  }

  private func number<Object: ManagedObject>(
    for request: FetchRequest<Object>, _ text: (FetchPlan) -> String
  ) throws(PersistenceError) -> Int64? {
    try statement(for: request, text) { (statement) throws(PersistenceError) in try statement.integer() }
  }
}
