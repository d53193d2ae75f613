/// Deletes rows and applies their delete rules, set by set.
struct BulkDeletion {
  private let space: ObjectSpace
  private let entity: Entity
  /// The rows to delete, indexed by class.
  private var gone: [Int: BulkRows] = [:]

  /// Selects the rows. Create this before objects in memory are deleted, which may change what fulfills the condition.
  init<Object: ManagedObject>(
    _ space: ObjectSpace, _ entity: Entity, _ query: Query<Object>
  ) throws(PersistenceError) {
    self.space = space
    self.entity = entity
    let registry = space.registry(of: entity)
    gone[entity.index] = try BulkRows(registry, matching: query)
  }

  /// The objects in memory that fulfill the condition.
  func known() throws(PersistenceError) -> [ManagedObject] { try gone[entity.index]?.known() ?? [] }

  /// - Returns: The number of deleted rows of the class itself, without those of other classes.
  func run() throws(PersistenceError) -> Int {
    var deletion = self
    try deletion.cascade()
    try deletion.check()
    for (index, rows) in deletion.gone.sorted(by: { $0.key < $1.key }) {
      let entity = space.schema.entities[index]
      try space.recordOrders(changing: SlotSet(first: entity.columns.count), of: entity, rows: rows.selection)
    }
    for (index, rows) in deletion.gone.sorted(by: { $0.key < $1.key }) {
      for relationship in space.schema.entities[index].relationships {
        try deletion.sever(relationship, from: rows)
      }
    }
    var count = 0
    for (index, rows) in deletion.gone.sorted(by: { $0.key < $1.key }) {
      let deleted = try deletion.delete(rows, of: space.registries[index])
      space.registries[index].runningImport?.recordExternalWrites(-deleted)
      if index == entity.index { count = deleted }
    }
    return count
  }

  /// Follows cascade rules until no more rows are added.
  private mutating func cascade() throws(PersistenceError) {
    var hasGrown = true
    while hasGrown {
      hasGrown = false
      for (index, rows) in gone {
        let cascading = space.schema.entities[index].relationships.filter { $0.declaration.rule == .cascade }
        if try rows.addDescendants(by: cascading.filter { $0.target === $0.entity }) > 0 { hasGrown = true }
        for relationship in cascading where relationship.target !== relationship.entity {
          let target = relationship.target
          if gone[target.index] == nil { gone[target.index] = try BulkRows(space.registry(of: target)) }
          let found = try gone[target.index]?.add(related(relationship, to: rows)) ?? 0
          if found > 0 { hasGrown = true }
        }
      }
    }
  }

  /// Returns a query for the ids of the objects that a relationship of the rows refers to.
  private func related(_ relationship: Relationship, to rows: BulkRows) -> String {
    guard case .column(let slot) = relationship.storage else {
      return "SELECT \(relationship.memberColumn) FROM \(relationship.memberTable) "
        + "WHERE \(relationship.ownerColumn) IN \(rows.selection)"
    }
    let column = relationship.entity.columns[slot].quoted
    return "SELECT \(column) FROM \(relationship.entity.table) WHERE \(column) NOT NULL "
      + "AND \(SQL.name(SQL.id)) IN \(rows.selection)"
  }

  private func check() throws(PersistenceError) {
    for (index, rows) in gone {
      for relationship in space.schema.entities[index].relationships where relationship.declaration.rule == .deny {
        let among = gone[relationship.target.index].map { " AND id NOT IN \($0.selection)" } ?? ""
        let left =
          "SELECT count(*) FROM (SELECT 1 FROM (\(related(relationship, to: rows, as: "id"))) WHERE 1\(among) LIMIT 1)"
        guard try space.connection.statement(left).integer() ?? 0 > 0 else { continue }
        throw .deleteRule(
          DeleteRuleViolation(type: relationship.entity.name, id: 0, relationship: relationship.property))
      }
    }
  }

  private func related(_ relationship: Relationship, to rows: BulkRows, as name: String) -> String {
    "SELECT * FROM (SELECT 0 AS \(name) WHERE 0 UNION ALL \(related(relationship, to: rows)))"
  }

  /// Removes the rows from the other side of a relationship.
  private func sever(_ relationship: Relationship, from rows: BulkRows) throws(PersistenceError) {
    switch relationship.storage {
    case .column:
      // The other side of a one-to-one relationship has a column as well.
      guard !relationship.inverse.isToMany, let inverse = relationship.inverse.declaration.slot else { return }
      try clear(relationship.target, inverse, leadingTo: rows)
    case .inverseColumn(let slot): try clear(relationship.target, slot, leadingTo: rows)
    case .join(let join, let own, _):
      try space.changePairs(
        of: join, by: "DELETE FROM \(SQL.name(join.name)) WHERE \(SQL.name(own)) IN \(rows.selection)"
      ) {
        .removed(join: join.index, first: $0, second: $1)
      }
    }
  }

  private func clear(_ other: Entity, _ slot: Int, leadingTo rows: BulkRows) throws(PersistenceError) {
    let staying = gone[other.index].map { " AND \(SQL.name(SQL.id)) NOT IN \($0.selection)" } ?? ""
    try space.registry(of: other).setReferences(
      slot, to: "NULL", order: "NULL", where: "\(other.columns[slot].quoted) IN \(rows.selection)\(staying)")
  }

  private func delete(_ rows: BulkRows, of registry: EntityRegistry) throws(PersistenceError) -> Int {
    let id = SQL.name(SQL.id)
    let returnsRows = space.isRecording || !registry.map.isEmpty
    let statement = try space.connection.statement(
      "DELETE FROM \(registry.entity.table) WHERE \(id) IN \(rows.selection)" + (returnsRows ? " RETURNING \(id)" : ""))
    // Those whose objects were deleted before are not among them.
    var known: [ManagedObject] = []
    while try statement.step() {
      if let object = registry.noteBulk(statement.int64(0), .deleted) { known.append(object) }
    }
    let count = statement.changes
    for object in known { registry.markGone(object) }
    if count > 0 { registry.noteBulk() }
    try rows.clear()
    return count
  }
}

extension EntityRegistry {
  /// Marks an object in memory as deleted after its row was deleted directly.
  func markGone(_ object: ManagedObject) {
    unloadRelationships(of: object)
    markDeleted(object)
    changes.writtenDeletes = changes.deleted.count
  }
}
