/// The names in declared steps. A misspelled name must not make a migration discard what it was meant to rename.
extension MigrationPlanner {
  /// Renames what a declared step names.
  ///
  /// Some names can be missing for a good reason: they belonged to a version between the store's and the step's, or to
  /// the to-many side of an unordered one-to-many relationship, which no table contains. Those in the steps of the
  /// program's version are refused if they resemble something that the migration would discard. Earlier steps were in
  /// use before.
  static func rename(
    _ step: MigrationStep, before later: some Sequence<MigrationStep>, to program: Schema,
    in schema: inout StoredSchema
  ) throws(Refusal) -> [MigrationOperation] {
    let isGap = step.version > schema.version + 1
    let isLast = step.version == program.version
    /// Whether `old` is there to be renamed. `new` is its name in the program's classes.
    func isFound(_ old: String, in type: String?, to new: StoredSide) throws(Refusal) -> Bool {
      let (known, wanted) = (schema.names(in: type), program.names(in: type.map { _ in new.table }))
      if known.contains(old) { return true }
      let isRemoved = !isLast && !wanted.contains(new.property) && schema.isReferenced(type)
      let isExpected = isGap || program.isImplied(new) || isRemoved
      let isLost = isLast && known.contains { !wanted.contains($0) && $0.resembles(old) }
      if isLost || !isExpected { throw schema.missing(old, in: type) }
      return false
    }
    /// Refuses a new name that the program's classes do not have, because its contents would be removed again.
    func check(_ name: String, in type: String?, from old: String?) throws(Refusal) {
      let (known, wanted) = (schema.names(in: old), program.names(in: type))
      if wanted.isEmpty || wanted.contains(where: { $0.lowercased() == name.lowercased() }) { return }
      // Later versions may have removed it, and custom steps may use what they do not keep.
      let isCertain = isLast && !later.contains(where: \.isCustom)
      guard isCertain || isLast && wanted.contains(where: { !known.contains($0) && $0.resembles(name) }) else { return }
      throw Refusal(text: "\(type ?? "the schema") has no \(type == nil ? "class " : "")\(name)" + name.hint(wanted))
    }
    switch step.action {
    case .renameClass(let old, let new):
      let end = later.reduce(StoredSide(table: new, property: "")) { $0.after($1) }
      guard try isFound(old, in: nil, to: end) else { return [] }
      try check(end.table, in: nil, from: nil)
      return try renameClass(old, to: new, in: &schema)
    case .rename(let old, let type, let new):
      let end = later.reduce(StoredSide(table: type, property: new)) { $0.after($1) }
      guard try isFound(type, in: nil, to: end), try isFound(old, in: type, to: end) else { return [] }
      try check(end.property, in: end.table, from: type)
      return try renameProperty(old, of: type, to: new, in: &schema)
    case .custom: return []
    }
  }
}

extension StoredSchema {
  /// The names of the attributes and relationships of a class in the store, or of all classes.
  func names(in type: String?) -> [String] {
    guard let type else { return tables.filter { !$0.isJoin }.map(\.name) }
    let sides = tables.flatMap { ($0.sides ?? []) + $0.columns.compactMap(\.orders) }
    return (table(type)?.columns.filter(\.isProperty).map(\.name) ?? [])
      + sides.filter { $0.table == type }.map(\.property)
  }

  func missing(_ name: String, in type: String?) -> MigrationPlanner.Refusal {
    let names = names(in: type)
    return MigrationPlanner.Refusal(
      text: (type.map { "the store's class \($0) has no \(name)" } ?? "the store has no class \(name)")
        + name.hint(names))
  }

  fileprivate func isReferenced(_ type: String?) -> Bool {
    tables.contains { !$0.isJoin && $0.columns.contains { $0.references == type && type != nil } }
  }
}

extension Schema {
  /// The names of the attributes and relationships of a class, or of all classes.
  fileprivate func names(in type: String?) -> [String] {
    stored.names(in: type) + (entities.first { $0.name == type }?.toMany.map(\.property) ?? [])
  }

  /// Whether the relationship is determined by the foreign keys of its inverse, without a trace of its own name.
  func isImplied(_ side: StoredSide) -> Bool {
    entities.first { $0.name == side.table }?.toMany.contains {
      guard case .inverseColumn = $0.storage else { return false }
      return $0.property == side.property && !$0.isOrdered
    } ?? false
  }
}

extension StoredSide {
  /// The name after a step.
  fileprivate func after(_ step: MigrationStep) -> StoredSide {
    switch step.action {
    case .renameClass(let old, let new) where old == table: StoredSide(table: new, property: property)
    case .rename(let old, let type, let new) where type == table && old == property:
      StoredSide(table: table, property: new)
    default: self
    }
  }
}

extension String {
  /// The end of an error text about a missing name: the nearest name if it resembles the missing one, or all names.
  func hint(_ names: [String]) -> String {
    guard let nearest = names.min(by: { distance(to: $0) < distance(to: $1) }) else { return "" }
    return nearest.resembles(self) ? "; did you mean \(nearest)?" : "; it has \(names.joined(separator: ", "))"
  }

  /// Whether one may be a misspelling of the other.
  fileprivate func resembles(_ other: String) -> Bool {
    let distance = distance(to: other)
    return distance <= Swift.max(1, other.count / 4) && distance < Swift.min(count, other.count)
  }

  /// The number of characters to insert, remove, replace or swap with their neighbor, regardless of letter case.
  private func distance(to other: String) -> Int {
    let (old, new) = (Array(lowercased()), Array(other.lowercased()))
    var rows = [Array(0...new.count)]
    for i in old.indices {
      rows.append([i + 1])
      for j in new.indices {
        var least = Swift.min(rows[i][j + 1] + 1, rows[i + 1][j] + 1, rows[i][j] + (old[i] == new[j] ? 0 : 1))
        if i > 0, j > 0, old[i] == new[j - 1], old[i - 1] == new[j] { least = Swift.min(least, rows[i - 1][j - 1] + 1) }
        rows[i + 1].append(least)
      }
    }
    return rows[old.count][new.count]
  }
}
