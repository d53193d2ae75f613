extension FetchPlan {
  /// The objects of the rows in the best form.
  func objects(
    of registry: EntityRegistry, _ arguments: ContiguousArray<StoredValue>, on connection: Connection
  ) throws(PersistenceError) -> [ManagedObject] {
    let best = try best(for: arguments, on: connection)
    // Collected as objects of the base class, because a loop over an array of a generic class would not be specialised.
    var result: [ManagedObject] = []
    if best.expectsKnownRows, try best.addKnown(to: &result, of: registry, arguments, on: connection) { return result }
    try best.all.bind(arguments)
    if best.count.rows > 16 { result.reserveCapacity(best.count.rows) }
    best.count = try registry.rows(of: best.all) { (object: consuming ManagedObject) in result.append(object) }
    return result
  }

  /// Whether nearly all rows of the last result were in memory. Fetching only the ids is then cheaper.
  private var expectsKnownRows: Bool { count.rows > 64 && count.known * 10 > count.rows * 9 }

  /// Fetches only ids and versions. Returns false at the first row whose object is not in memory in its current
  /// version.
  private func addKnown(
    to result: inout [ManagedObject], of registry: EntityRegistry, _ arguments: ContiguousArray<StoredValue>,
    on connection: Connection
  ) throws(PersistenceError) -> Bool {
    let statement = try ids(on: connection)
    try statement.bind(arguments)
    result.reserveCapacity(count.rows)
    while try statement.step() {
      guard let object = registry.map.object(statement.int64(0)),
        object._version == UInt32(truncatingIfNeeded: statement.int64(1))
      else {
        statement.reset()
        result.removeAll(keepingCapacity: true)
        count.known = 0
        return false
      }
      result.append(object)
    }
    count = .init(rows: result.count, known: result.count)
    return true
  }
}
