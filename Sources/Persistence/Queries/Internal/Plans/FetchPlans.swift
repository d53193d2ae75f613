/// Prepared fetches of a space by the shape of their requests, at most `capacity` of them. The least recently used one
/// is evicted first.
struct FetchPlans {
  private let capacity: Int
  private var plans: [QueryShape: FetchPlan] = [:]
  private var takes: UInt64 = 0
  /// The shape of the last request, with its arguments. Its memory is reused for the next request.
  private var shape = QueryShape()

  init(capacity: Int) { self.capacity = max(1, capacity) }

  var count: Int { plans.count }

  mutating func removeAll() { plans = [:] }

  /// A plan whose statements are not in use, and the request's arguments.
  mutating func plan<Object: ManagedObject>(
    for request: borrowing FetchDescriptor<Object>, _ entity: Entity, on connection: Connection
  ) throws(PersistenceError) -> (FetchPlan, ContiguousArray<StoredValue>) {
    if !entity.indexConjuncts.isEmpty, let condition = request.condition {
      var literal = copy request
      literal.condition = entity.withIndexLiterals(condition)
      return try plan(literal, entity, on: connection)
    }
    return try plan(request, entity, on: connection)
  }

  private mutating func plan<Object: ManagedObject>(
    _ request: borrowing FetchDescriptor<Object>, _ entity: Entity, on connection: Connection
  ) throws(PersistenceError) -> (FetchPlan, ContiguousArray<StoredValue>) {
    shape.removeAll()
    request.add(to: &shape)
    takes &+= 1
    if let known = plans[shape], !known.isBusy {
      known.lastUse = takes
      return (known, shape.arguments)
    }
    let plan = try FetchPlan(copy request, entity, on: connection)
    // Values in another order would be compared with the wrong attributes.
    guard plan.generator.arguments == shape.arguments else {
      throw .unsupportedQuery(UnsupportedQueryError("the query as a whole", "its values have no definite order"))
    }
    plan.lastUse = takes
    if plans.count >= capacity { evict() }
    plans[shape] = plan
    return (plan, shape.arguments)
  }

  /// Linear, but only after a miss, in which preparing the statement costs far more.
  private mutating func evict() {
    let oldest = plans.min { $0.value.lastUse < $1.value.lastUse }
    if let oldest { plans[oldest.key] = nil }
  }
}
