/// A base table during a migration.
///
/// The migration changes rows without triggers, because it changes how values are represented, and edits nothing. The
/// base follows at the end: what the operations did to a column of the class, they do to the base of its rows. After a
/// custom step, which can change any value, the base is unknown.
struct MigratedBase {
  /// The table as the file has it.
  let stored: BaseTable
  /// Whether the class had all triggers of the table.
  let isComplete: Bool
  /// The name of the class so far.
  private(set) var owner: String
  /// Where the values of the class's columns come from, by their names so far.
  private(set) var sources: [String: MigrationOperation.Source]
  var isUnknown = false

  init(_ stored: BaseTable, isComplete: Bool) {
    self.stored = stored
    self.isComplete = isComplete
    owner = stored.owner
    sources = Dictionary(uniqueKeysWithValues: stored.columns.map { ($0, .column($0)) })
  }

  /// Follows an operation, apart from the removal of the class.
  mutating func follow(_ operation: MigrationOperation) {
    switch operation {
    case .renameTable(owner, let new, _): owner = new
    case .renameColumn(let column, owner, let new):
      if let source = sources.removeValue(forKey: column) { sources[new] = source }
    case .addColumn(let column, owner, let initial): sources[column.name] = .value(initial)
    case .rebuild(let table, owner, let origins):
      let old = sources
      sources = [:]
      for (column, origin) in zip(table.columns, origins) { sources[column.name] = origin.following(old) }
    default: break
    }
  }

  /// The table that takes its place: the wanted one if it has all of its columns, or one with those that are left.
  ///
  /// - Parameter wanted: Nil if the schema does not track the class.
  func successor(_ wanted: BaseTable?) -> BaseTable {
    if let wanted, wanted.columns.allSatisfy({ sources[$0] != nil }) { return wanted }
    let left = sources.filter { if case .value = $0.value { false } else { true } }
    return BaseTable(of: owner, left.keys.sorted())
  }

  /// Whether the successor has the same records.
  func isSame(as successor: BaseTable) -> Bool {
    !isUnknown && successor == stored && successor.columns.allSatisfy { sources[$0] == .column($0) }
  }
}

extension MigrationOperation.Source {
  /// The same source if its column has the values of another source itself.
  fileprivate func following(_ earlier: [String: Self]) -> Self? {
    switch self {
    case .value: self
    case .column(let name): earlier[name]
    case .filled(let name, let value):
      switch earlier[name] {
      case .column(let first): .filled(first, value)
      case .value(.null): .value(value)
      case let other: other
      }
    }
  }
}
