extension Schema {
  /// The tables that the classes require.
  var stored: StoredSchema {
    StoredSchema(version: version, tables: entities.map(\.stored) + joins.map(stored))
  }

  func stored(_ join: JoinTable) -> StoredTable {
    let sides = sides(of: join).sorted { $0.path < $1.path }
    return StoredTable(pairing: sides.map(\.side), isOrdered: sides.map(\.isOrdered))
  }

  /// Returns the initial value of an attribute. Rows stored before the attribute existed receive it.
  func defaultValue(of column: String, in table: String) -> StoredValue {
    for known in entities.first(where: { $0.name == table })?.columns ?? [] {
      if known.keyName == column { return known.defaultValue }
      if known.name == column { return SortableDecimal.readable(known.defaultValue) }
    }
    return .null
  }
}

extension Entity {
  var stored: StoredTable {
    let attributes = columns.enumerated().flatMap { slot, column in
      let own = StoredColumn(
        name: column.name, type: column.storageClass.rawValue, isOptional: column.isOptional,
        references: references[slot]?.target.name)
      if column.isFolded {
        let name = SQL.folded(of: column.name)
        return [own, StoredColumn(name: name, type: own.type, isOptional: true, folds: column.name)]
      }
      let fields = column.fields.map { path, storage in
        StoredColumn(
          name: SQL.field(path, of: column.name), type: storage.rawValue, isOptional: true,
          extracts: StoredExtract(column: column.name, form: path.form, names: path.names))
      }
      guard column.hasSortKey else { return [own] + fields }
      return [own, StoredColumn(name: column.keyName, type: own.type, isOptional: own.isOptional, sorts: column.name)]
    }
    let orders = references.compactMap { $0?.inverse }.filter(\.isOrdered).map { inverse in
      StoredColumn(
        name: SQL.order(of: inverse.property), type: StorageClass.integer.rawValue, isOptional: true,
        orders: inverse.side)
    }
    var names: Set<String> = []
    let indexes = self.indexes.map { index in
      let parts =
        [name]
        + index.parts.map {
          columns[$0.slot].name + ($0.isFolded ? ".folded" : "") + ($0.field.map { "/\($0.pointer)" } ?? "")
        }
      var name = parts.joined(separator: ".") + (index.isUnique ? "" : ".")
      if let condition = index.condition { name += " where " + condition.sql.filter { $0 != "\"" } }
      // SQLite ignores the case of names, but not that of values in a condition.
      while !names.insert(name.lowercased()).inserted { name += "'" }
      return StoredIndex(
        name: name,
        columns: index.parts.map(self.name) + order(by: index), isUnique: index.isUnique,
        where: index.condition?.sql)
    }
    let folded = columns.enumerated().compactMap { slot, column -> StoredIndex? in
      let part = EntityIndex.Part(slot: slot, isFolded: true)
      // A unique index on the folded texts of all objects finds them, too.
      if !column.isFolded || self.indexes.contains(where: { $0.isPlain && $0.parts.first == part }) { return nil }
      return StoredIndex(
        name: "\(name).\(column.name).folded.", columns: [SQL.folded(of: column.name)], isUnique: false)
    }
    return StoredTable(
      name: name, sides: nil, columns: attributes + orders, indexes: indexes + folded,
      search: searchSlots.map { columns[$0].name })
  }

  /// Adds the order column to the index that finds an owner's members. The index then has them in order, and the last
  /// position is found without a scan of all members.
  private func order(by index: EntityIndex) -> [String] {
    guard index.slots.count == 1, !index.isUnique, let inverse = references[index.slots[0]]?.inverse, inverse.isOrdered
    else { return [] }
    return [SQL.order(of: inverse.property)]
  }
}
