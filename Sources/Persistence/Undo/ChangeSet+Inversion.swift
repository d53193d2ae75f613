extension ChangeSet {
  /// A change set that undoes the changes in this one.
  ///
  /// Applying the inverted change set deletes the inserted objects, inserts the deleted objects again under their old
  /// ids, and restores the old values of updated objects and the orders that the change set contains.
  public var inverted: ChangeSet {
    var result = ChangeSet(schema)
    result.entities = ContiguousArray(entities.map(\.inverted))
    // Members are arranged when all of them are back.
    let orders = links.filter(\.isOrder)
    result.links = ContiguousArray(links.filter { !$0.isOrder }.reversed().map(\.inverted) + orders.map(\.inverted))
    return result
  }
}

extension LinkChange {
  fileprivate var inverted: LinkChange {
    switch self {
    case .reordered(let entity, let relation, let owner, let orders):
      .reordered(entity: entity, relation: relation, owner: owner, orders?.inverted)
    default: opposite
    }
  }

  fileprivate var isOrder: Bool { if case .reordered = self { true } else { false } }
}

extension EntityChanges {
  fileprivate var inverted: EntityChanges {
    var result = EntityChanges(entity)
    result.isWhole = isWhole
    result.reserve(rows: rows.count, values: values.count)
    for row in rows {
      let kind: ObjectChangeKind =
        switch row.kind {
        case .inserted: .deleted
        case .updated: .updated
        case .deleted: .inserted
        }
      result.add(RowChange(id: row.id, kind: kind, mask: row.mask, carried: row.carried))
      let count = row.carried.count
      for position in 0..<count {
        if kind == .updated {
          result.add(values[row.start + 2 * position + 1])
          result.add(values[row.start + 2 * position])
        } else {
          result.add(values[row.start + position])
        }
      }
    }
    return result
  }
}
