extension Schema {
  /// The tables that the classes want.
  var stored: StoredSchema {
    StoredSchema(version: version, tables: entities.map(\.stored) + joins.map(stored))
  }

  private func stored(_ join: JoinTable) -> StoredTable {
    let sides = entities.flatMap(\.toMany).compactMap { relationship -> (column: String, relationship: Relationship)? in
      guard case .join(let other, let own, _) = relationship.storage, other === join else { return nil }
      return (own, relationship)
    }.sorted { $0.column < $1.column }
    return StoredTable(
      pairing: sides.map(\.relationship.side), isOrdered: sides.map(\.relationship.isOrdered))
  }

  /// What an attribute of a class is at first: rows that were stored before there was the attribute get it.
  func defaultValue(of column: String, in table: String) -> StoredValue {
    let entity = entities.first { $0.name == table }
    return entity?.columns.first { $0.name == column }?.defaultValue ?? .null
  }
}

extension Relationship {
  fileprivate var side: StoredSide { StoredSide(table: entity.name, property: property) }
}

extension Entity {
  fileprivate var stored: StoredTable {
    let attributes = columns.enumerated().map { slot, column in
      StoredColumn(
        name: column.name, type: column.storageClass.rawValue, isOptional: column.isOptional,
        references: references[slot]?.target.name)
    }
    let orders = references.compactMap { $0?.inverse }.filter(\.isOrdered).map { inverse in
      StoredColumn(
        name: SQL.order(of: inverse.property), type: StorageClass.integer.rawValue, isOptional: true,
        orders: inverse.side)
    }
    let indexes = self.indexes.map { index in
      let names = index.slots.map { columns[$0].name }
      return StoredIndex(
        name: ([name] + names).joined(separator: ".") + (index.isUnique ? "" : "."), columns: names,
        isUnique: index.isUnique)
    }
    return StoredTable(name: name, sides: nil, columns: attributes + orders, indexes: indexes)
  }
}
