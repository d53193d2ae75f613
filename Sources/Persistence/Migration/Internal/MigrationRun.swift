/// A migration in progress. It runs in a transaction that its owner begins, and commits or rolls back.
final class MigrationRun {
  let schema: Schema
  let connection: Connection
  private let progress: (@Sendable (MigrationProgress) -> Void)?
  /// The tables as of now.
  private(set) var current: StoredSchema
  private(set) var steps: [MigrationReport.Step] = []
  /// The base tables of the store.
  var bases: [MigratedBase] = []
  private var step = ""
  private var index = 0
  private var count = 0

  init(
    _ schema: Schema, from stored: StoredSchema, on connection: Connection,
    progress: (@Sendable (MigrationProgress) -> Void)?
  ) {
    self.schema = schema
    self.connection = connection
    self.progress = progress
    current = stored
  }

  static func pending(_ schema: Schema, from version: Int) -> [MigrationStep] {
    schema.steps.filter { $0.version > version && $0.version <= schema.version }
  }

  func run() throws(PersistenceError) {
    let pending = MigrationRun.pending(schema, from: current.version)
    let planner = MigrationPlanner(defaultValue: schema.defaultValue)
    var wanted = schema.stored
    count = pending.count
    try beginTracking()
    for (index, declared) in pending.enumerated() { try perform(declared, before: pending.dropFirst(index + 1)) }
    step = "adapt the tables to the schema"
    let operations: [MigrationOperation]
    do { operations = try planner.operations(from: current, to: wanted) } catch { throw refusal(error.text) }
    count = pending.count + operations.count
    for operation in operations {
      try timed(operation.text(in: current)) { () throws(PersistenceError) in
        try execute(operation)
      }
    }
    if pending.contains(where: \.isCustom) { try calculateAfterCustomStep() }
    if operations.contains(where: \.mayBreakReferences) { try checkReferences() }
    try finishTracking()
    // Keep tables of classes that this program does not list and did not ask to remove.
    for table in current.tables where wanted.table(table.name) == nil { wanted.replace(table.name, with: table) }
    // The names of indexes may differ. The order of columns makes no difference to SQLite.
    wanted.tables = wanted.tables.map { table in
      guard var found = current.table(table.name) else { return table }
      let columns = table.columns.filter { found.column($0.name) != nil }
      found.columns = columns + found.columns.filter { table.column($0.name) == nil }
      found.indexes = table.indexes.compactMap { found.index(like: $0) }
      return found
    }
    current = wanted
  }

  private func perform(
    _ declared: MigrationStep, before later: ArraySlice<MigrationStep>
  ) throws(PersistenceError) {
    try timed(declared.name) { () throws(PersistenceError) in
      switch declared.action {
      case .renameClass, .rename:
        try rename { [schema] (current) throws(MigrationPlanner.Refusal) in
          try MigrationPlanner.rename(declared, before: later, to: schema, in: &current)
        }
      case .custom(let body):
        try prepareForCustomStep()
        let store = MigrationStore(self)
        defer { store.isValid = false }
        do {
          try body(store)
        } catch let error as PersistenceError {
          throw named(error)
        } catch {
          throw failure(.body(error))
        }
        try checkReferences()
      }
    }
  }

  private func timed(_ name: String, _ body: () throws(PersistenceError) -> Void) throws(PersistenceError) {
    step = name
    report(0, of: 0)
    let clock = ContinuousClock()
    let start = clock.now
    do { try body() } catch { throw named(error) }
    steps.append(MigrationReport.Step(text: name, duration: clock.now - start))
    index += 1
  }

  func report(_ rows: Int, of total: Int) {
    progress?(MigrationProgress(step: step, index: index, count: max(count, index + 1), rows: rows, totalRows: total))
  }

  // Operations for custom steps

  func rename(
    _ plan: (inout StoredSchema) throws(MigrationPlanner.Refusal) -> [MigrationOperation]
  ) throws(PersistenceError) {
    var renamed = current
    let operations: [MigrationOperation]
    do { operations = try plan(&renamed) } catch { throw refusal(error.text) }
    for operation in operations { try execute(operation) }
    current = renamed
  }

  func change(
    to wanted: StoredSchema, _ initial: @escaping (String, String) -> StoredValue
  ) throws(PersistenceError) {
    var target = wanted
    target.version = current.version + 1
    let operations: [MigrationOperation]
    do {
      operations = try MigrationPlanner(defaultValue: initial).operations(from: current, to: target)
    } catch {
      throw refusal(error.text)
    }
    for operation in operations { try execute(operation) }
  }

  func existing(_ type: String) throws(PersistenceError) -> StoredTable {
    guard let table = current.table(type), !table.isJoin else { throw missing(type, in: nil) }
    return table
  }

  /// Throws if there is no such class, neither in the store nor in the program, which will add it.
  func require(_ type: String) throws(PersistenceError) {
    if schema.entities.contains(where: { $0.name == type }) { return }
    _ = try existing(type)
  }

  func apply(_ operation: MigrationOperation) { current.apply(operation) }

  func applyCustomStep() { current.applyCustomStep() }

  // Errors

  func refusal(_ text: String) -> PersistenceError { failure(.refused(text)) }

  func missing(_ name: String, in type: String?) -> PersistenceError { refusal(current.missing(name, in: type).text) }

  private func failure(_ reason: MigrationFailure.Reason) -> PersistenceError {
    .migrationFailed(MigrationFailure(reason: reason, step: step, backup: nil))
  }

  private func named(_ error: PersistenceError) -> PersistenceError {
    switch error {
    case .database(let cause) where cause.isUniqueness:
      // SQLite writes "UNIQUE constraint failed: Movie.remoteID, Movie.year".
      failure(
        .notUnique(
          (cause.message.split(separator: ":", maxSplits: 1).last?.dropFirst().description ?? "")
            .replacing(".\(SQL.foldedPrefix)", with: ".")))
    case .database(let cause) where cause.isOfStatement: failure(.body(error))
    // A row does not know the name of the step.
    case .migrationFailed(let failed): failure(failed.reason)
    case .notFound, .unsupportedQuery, .sumOverflow: failure(.body(error))
    default: error
    }
  }

  private func checkReferences() throws(PersistenceError) {
    let statement = try connection.statement("PRAGMA foreign_key_check")
    var dangling: [String: Int] = [:]
    while try statement.step() { dangling[statement.text(0), default: 0] += 1 }
    if !dangling.isEmpty { throw failure(.dangling(dangling)) }
  }
}
