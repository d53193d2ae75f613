/// The planned steps of a migration, derived only from the descriptions of store and schema.
///
/// The effect of a custom step is unknown before it has run. The steps after it are planned as if it did nothing, and
/// planned again once it has run.
struct MigrationPlan: Hashable, Sendable {
  struct Entry: Hashable, Sendable {
    let text: String
    let losses: [String]
    let isCustom: Bool
    /// The table whose rows are read or written, by its current name in the store.
    let walked: String?
    /// Whether these rows are rewritten.
    let isRewrite: Bool
  }

  private(set) var entries: [Entry] = []
  private(set) var isExact = true
  private var origins: [String: String] = [:]

  init(_ schema: Schema, from stored: StoredSchema) throws(MigrationPlanner.Refusal) {
    var current = stored
    let pending = MigrationRun.pending(schema, from: stored.version)
    for table in stored.tables { origins[table.name] = table.name }
    do {
      for (index, step) in pending.enumerated() {
        note(try MigrationPlanner.rename(step, before: pending.dropFirst(index + 1), to: schema, in: &current))
        entries.append(Entry(text: step.name, losses: [], isCustom: step.isCustom, walked: nil, isRewrite: false))
        guard step.isCustom else { continue }
        isExact = false
        current.applyCustomStep()
      }
      let planner = MigrationPlanner(defaultValue: schema.defaultValue)
      for operation in try planner.operations(from: current, to: schema.stored) {
        let walked = operation.walkedTable.flatMap { origins[$0] }
        let text = operation.text(in: current)
        var isRewrite = false
        if case .rebuild = operation { isRewrite = true }
        entries.append(
          Entry(
            text: text, losses: operation.losses(in: current), isCustom: false, walked: walked, isRewrite: isRewrite))
        note([operation])
        current.apply(operation)
      }
    } catch {
      // A custom step may resolve the problem.
      if isExact { throw error }
    }
  }

  var isDestructive: Bool { entries.contains { $0.isCustom || !$0.losses.isEmpty } }

  private mutating func note(_ operations: [MigrationOperation]) {
    for operation in operations {
      switch operation {
      case .renameTable(let old, let new, _): origins[new] = origins.removeValue(forKey: old)
      case .rebuild(let table, let old, _): origins[table.name] = origins.removeValue(forKey: old)
      default: break
      }
    }
  }
}
