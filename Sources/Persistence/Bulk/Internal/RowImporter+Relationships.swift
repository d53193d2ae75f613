/// Relationships whose objects an import finds by unique attributes.
extension RowImporter {
  /// Binds the value of a to-one relationship's object.
  func putKey(_ value: StoredValue) -> Int32 {
    keys.add([value])
    return put(value)
  }

  /// Takes the values of a to-many relationship's members.
  func putKeys(_ values: [StoredValue]) -> Int32 {
    if values.contains(where: \.isNeverStored) { return Statement.unstorable }
    keys.add(values)
    return Statement.bound
  }

  /// Keeps the values that led to no object, and those of to-many relationships.
  ///
  /// - Parameters:
  ///   - rows: What the statement has returned.
  ///   - first: The number of the first row.
  func keepKeys(of rows: [(id: Int64, toOnes: [Int64])], from first: Int) throws(PersistenceError) {
    let connection = registry.space.connection
    for (row, found) in rows.enumerated() {
      for number in plan.lookups.indices {
        let values = keys.values[row * plan.lookups.count + number]
        let toOne = plan.toOnes.firstIndex { $0.number == number }
        let isKept = toOne.map { found.toOnes[$0] == 0 && values[0] != .null } ?? true
        if !isKept, !keys.kept.contains(number) { continue }
        if keys.kept.isEmpty { for sql in keys.creation { try connection.execute(sql) } }
        keys.kept.insert(number)
        try connection.run(keys.replacement, Int64(number), found.id)
        if !isKept { continue }
        let insertion = try connection.statement(keys.insertion)
        let own: [StoredValue] = [.integer(Int64(number)), .integer(found.id)]
        for (position, value) in ((toOne == nil ? [.null] : []) + values).enumerated() {
          try insertion.bind(own + [.integer(Int64(position)), .integer(Int64(first + row)), value])
          try insertion.run()
        }
      }
    }
  }

  /// Sets the relationships whose values were kept.
  func setRelationships() throws(PersistenceError) {
    // The code that produced the rows may have inserted objects.
    try registry.space.writePending(isLast: true)
    for number in keys.kept.sorted() {
      let lookup = plan.lookups[number]
      let relationship = lookup.relationship
      try findObjects(of: lookup, number)
      let id = SQL.name(SQL.id)
      switch relationship.storage {
      case .column(let slot):
        let object = keys.members("target", of: number, "owner=\(registry.entity.table).\(id)")
        try registry.setReferences(
          slot, to: object, order: "NULL", where: "\(id) IN \(keys.members("owner", of: number))")
      case .inverseColumn(let slot):
        try run(keys.index)
        try run(keys.deduplication(of: number, isToOne: true))
        let members = registry.space.registry(of: relationship.target)
        let isMember = "\(id) IN \(keys.members("target", of: number))"
        try registry.space.recordOrders(
          of: relationship,
          ownedBy: "SELECT \(relationship.ownerColumn) FROM \(relationship.memberTable) WHERE \(isMember) "
            + "AND \(relationship.ownerColumn) NOT NULL UNION SELECT * FROM \(keys.owners(of: number))")
        try members.setReferences(
          slot, to: "NULL", order: "NULL",
          where: "\(relationship.ownerColumn) IN \(keys.owners(of: number)) AND NOT \(isMember)")
        let own = "target=\(relationship.memberTable).\(id)"
        let (owner, position) = (
          keys.members("owner", of: number, own), keys.members("position", of: number, own)
        )
        let isMoved = relationship.orderColumn.map { " OR \($0) IS NOT \(position)" } ?? ""
        try members.setReferences(
          slot, to: owner, order: position,
          where: "\(isMember) AND (\(relationship.ownerColumn) IS NOT \(owner)\(isMoved))")
      case .join(let join, let own, let other):
        try run(keys.deduplication(of: number, isToOne: false))
        let (name, columns) = (SQL.name(join.name), "\(SQL.name(own)),\(SQL.name(other))")
        let (owners, pairs) = (keys.owners(of: number), keys.members("owner,target", of: number))
        let space = registry.space
        try space.changePairs(
          of: join, by: "DELETE FROM \(name) WHERE \(SQL.name(own)) IN \(owners) AND (\(columns)) NOT IN \(pairs)"
        ) {
          .removed(join: join.index, first: $0, second: $1)
        }
        try space.changePairs(of: join, by: "INSERT OR IGNORE INTO \(name)(\(columns)) SELECT * FROM \(pairs)") {
          .added(join: join.index, first: $0, second: $1)
        }
        if let order = relationship.orderColumn {
          let position = keys.members(
            "position", of: number, "owner=\(name).\(SQL.name(own)) AND target=\(name).\(SQL.name(other))")
          let changes = try run(
            "UPDATE \(name) SET \(order)=\(position) WHERE \(SQL.name(own)) IN \(owners) AND \(order) IS NOT \(position)"
          )
          if changes > 0, space.isRecording { space.links.note(.all(join: join.index)) }
        }
      }
    }
    try run(keys.removal)
  }

  private func findObjects(of lookup: ImportPlan.Lookup, _ number: Int) throws(PersistenceError) {
    try run(keys.resolution(of: number, lookup.object))
    let statement = try registry.space.connection.statement(keys.failures(of: number))
    _ = try statement.step()
    let (count, row) = (Int(statement.int64(0)), statement.int64(1))
    statement.reset()
    if count == 0 { return }
    guard lookup.ignoresUnknown else {
      let (relationship, attribute) = (lookup.relationship, lookup.attribute.property)
      throw .invalidValue(
        InvalidValue(
          type: registry.entity.name, attribute: relationship.property, id: row,
          reason: "there is no \(relationship.target.name) with this value of \(attribute)"))
    }
    keys.unknown += count
  }

  /// Returns the number of changed rows.
  @discardableResult private func run(_ sql: String) throws(PersistenceError) -> Int {
    let statement = try registry.space.connection.statement(sql)
    try statement.run()
    return statement.changes
  }
}
