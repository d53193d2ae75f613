extension MigrationPreview {
  /// Counts the rows that a plan affects, and copies up to 2,000 rows of each table to estimate the time per row.
  init(
    _ plan: MigrationPlan, _ schema: Schema, from version: Int, on connection: Connection, backsUp: Bool
  ) throws(PersistenceError) {
    var costs: [String: (rows: Int, each: Duration)] = [:]
    var steps: [Step] = []
    for entry in plan.entries {
      var rows = 0
      var duration = Duration.zero
      if let table = entry.walked {
        let cost: (rows: Int, each: Duration)
        if let known = costs[table] { cost = known } else { cost = try Self.cost(of: table, on: connection) }
        costs[table] = cost
        rows = cost.rows
        duration = cost.each * cost.rows
      }
      steps.append(
        Step(
          text: entry.text, rows: rows, duration: entry.isCustom ? nil : duration, losses: entry.losses,
          isCustom: entry.isCustom))
    }
    let pages = try connection.statement("PRAGMA page_count").integer() ?? 0
    let pageSize = try connection.statement("PRAGMA page_size").integer() ?? 0
    let size = Int(clamping: pages.multipliedReportingOverflow(by: pageSize).partialValue)
    // A rewritten table exists in the log and in the file, in addition to the old one.
    let copies = (plan.isDestructive && backsUp ? 1 : 0) + (plan.entries.contains { $0.walked != nil } ? 2 : 0)
    self.init(
      storeVersion: version, schemaVersion: schema.version, steps: steps, size: size,
      neededSpace: size * copies + 1 << 20)
  }

  private static let sample = 2_000

  private static func cost(of table: String, on connection: Connection) throws(PersistenceError) -> (
    rows: Int, each: Duration
  ) {
    let name = SQL.name(table)
    let rows = Int(try connection.statement("SELECT count(*) FROM \(name)").integer() ?? 0)
    guard rows > 0 else { return (0, .zero) }
    // A connection of a read-only store refuses temporary tables too, although they are not in the file.
    let refusesWrites = try connection.statement("PRAGMA query_only").integer() == 1
    if refusesWrites { try connection.execute("PRAGMA query_only=OFF") }
    let clock = ContinuousClock()
    let start = clock.now
    try connection.execute("CREATE TEMP TABLE _larder_sample AS SELECT * FROM \(name) LIMIT \(sample)")
    let time = clock.now - start
    try connection.execute("DROP TABLE temp._larder_sample")
    if refusesWrites { try connection.execute("PRAGMA query_only=ON") }
    // Each row is written to the log first, and then to the file.
    return (rows, time * 2 / min(rows, sample))
  }
}
