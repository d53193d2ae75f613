/// Prepared fetches of a space by the shape of their requests, at most `capacity` of them. The least recently used one
/// is evicted first.
struct FetchPlans {
  private let capacity: Int
  private var plans: [QueryShape: FetchPlan] = [:]
  private var takes: UInt64 = 0
  /// The shape of the last request, with its arguments. Its memory is reused for the next request.
  private(set) var shape = QueryShape()

  init(capacity: Int) { self.capacity = max(1, capacity) }

  var count: Int { plans.count }

  mutating func removeAll() { plans = [:] }

  /// A plan whose statements are not in use. ``shape`` then has the request's arguments.
  mutating func plan<Object: ManagedObject>(
    for request: borrowing FetchDescriptor<Object>, _ table: EntityRegistry, on connection: Connection
  ) throws(PersistenceError) -> FetchPlan {
    if !table.entity.indexConjuncts.isEmpty, let condition = request.condition {
      var literal = copy request
      literal.condition = table.entity.withIndexLiterals(condition)
      return try plan(literal, table, on: connection)
    }
    return try plan(request, table, on: connection)
  }

  private mutating func plan<Object: ManagedObject>(
    _ request: borrowing FetchDescriptor<Object>, _ table: EntityRegistry, on connection: Connection
  ) throws(PersistenceError) -> FetchPlan {
    shape.removeAll()
    request.add(to: &shape)
    takes &+= 1
    if let known = plans[shape], !known.isBusy {
      known.lastUse = takes
      return known
    }
    let plan = try FetchPlan(copy request, table.entity, on: connection)
    // Values in another order would be compared with the wrong attributes.
    guard plan.generator.arguments == shape.arguments else {
      throw .unsupportedQuery(UnsupportedQueryError("the query as a whole", "its values have no definite order"))
    }
    plan.lastUse = takes
    if plans.count >= capacity { evict() }
    plans[shape] = plan
    return plan
  }

  /// Linear, but only after a miss, in which preparing the statement costs far more.
  private mutating func evict() {
    let oldest = plans.min { $0.value.lastUse < $1.value.lastUse }
    if let oldest { plans[oldest.key] = nil }
  }
}
