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
  /// The lists among them. Operations name their join tables, which are named after both sides.
  private var lists: [BaseList]
  var isUnknown = false

  init(_ stored: BaseTable, isComplete: Bool) {
    self.stored = stored
    self.isComplete = isComplete
    owner = stored.owner
    lists = stored.lists
    sources = Dictionary(uniqueKeysWithValues: stored.columns.map { ($0, .column($0)) })
  }

  /// Follows an operation, apart from the removal of the class.
  mutating func follow(_ operation: MigrationOperation) {
    switch operation {
    case .renameTable(owner, let new, isJoin: false): owner = new
    case .renameTable(let old, let new, isJoin: true): followJoin(old, to: new) { $0 }
    case .renameColumn(let column, let table, let new) where lists.contains { $0.join == table }:
      followJoin(table, to: table) { $0 == column ? new : $0 }
    case .rebuild(let table, let old, let origins) where table.isJoin:
      followJoin(old, to: table.name) { name in
        zip(table.columns, origins).first { $1 == .column(name) }?.0.name ?? name
      }
    case .dropTable(let table, isJoin: true):
      for list in lists where list.join == table { sources[list.name] = nil }
      lists.removeAll { $0.join == table }
    // No row has members yet.
    case .createTable(let table):
      for list in StoredSchema(version: 1, tables: [table]).lists(of: owner) {
        lists.append(list)
        sources[list.name] = .value(.null)
      }
    case .renameColumn(let column, owner, let new):
      if let source = sources.removeValue(forKey: column) { sources[new] = source }
    case .addColumn(let column, owner, let initial): sources[column.name] = .value(initial)
    case .rebuild(let table, owner, let origins):
      let old = sources
      sources = sources.filter { source in lists.contains { $0.name == source.key } }
      for (column, origin) in zip(table.columns, origins) { sources[column.name] = origin.following(old) }
    default: break
    }
  }

  private mutating func followJoin(_ old: String, to new: String, _ column: (String) -> String) {
    lists = lists.map { list in
      if list.join != old { return list }
      return BaseList(
        name: list.name, join: new, own: column(list.own), other: column(list.other), order: list.order.map(column))
    }
  }

  /// Gives the lists the names that their relationships have now, which no operation says.
  ///
  /// - Returns: The old and the new names.
  mutating func renameLists(_ found: [BaseList]) -> [(old: String, new: String)] {
    let names = lists.compactMap { list in
      found.first { $0.join == list.join && $0.own == list.own }.map { (old: list.name, new: $0.name) }
    }.filter { $0.old != $0.new }
    let old = sources
    for name in names { sources[name.old] = nil }
    for name in names { sources[name.new] = old[name.old] }
    return names
  }

  /// The table that takes its place: the wanted one if it has all of its columns, or one with those that are left.
  ///
  /// - Parameters:
  ///   - wanted: Nil if the schema does not track the class.
  ///   - lists: The many-to-many relationships of the class.
  func successor(_ wanted: BaseTable?, _ lists: [BaseList]) -> BaseTable {
    if let wanted, wanted.columns.allSatisfy({ sources[$0] != nil }) { return wanted }
    let left = sources.filter { if case .value = $0.value { false } else { true } }
    return BaseTable(of: owner, left.keys.sorted(), lists)
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
