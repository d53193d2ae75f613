/// Writing rows whose objects cannot be read, because one of their attributes has a value that this version of the
/// program does not know. They would otherwise keep all rows from being applied.
extension RemoteWriter {
  func setUnreadable(_ values: [String: StoredValue], _ id: Int64, _ table: Table) throws(PersistenceError) {
    let registry = table.registry
    let columns = registry.entity.columns
    var (sets, mask, bound) = (
      ["\(SQL.name(SQL.version))=\(SQL.name(SQL.version))+1"], SlotSet(), [StoredValue.integer(id)]
    )
    for (property, value) in values {
      guard let slot = table.slots[property], columns[slot].accepts(value) else {
        let reason = table.slots[property] == nil ? Self.noAttribute : Self.wrongType
        throw .invalidValue(
          InvalidValue(type: registry.entity.name, attribute: property, id: id, reason: reason))
      }
      bound.append(value)
      sets += TableStatements.sets(columns[slot], to: "?\(bound.count)")
      mask.insert(slot)
    }
    try space.writePending()
    let changed = try space.run(
      "UPDATE \(registry.entity.table) SET \(sets.joined(separator: ",")) WHERE \(SQL.name(SQL.id))=?1", bound)
    if changed != 1 { throw .notFound(type: registry.entity.name, id: id) }
    registry.noteBulk(id, .updated, mask)
  }

  func deleteUnreadable(_ id: Int64, _ registry: EntityRegistry) throws(PersistenceError) {
    try space.writePending()
    try space.run("DELETE FROM \(registry.entity.table) WHERE \(SQL.name(SQL.id))=?1", [.integer(id)])
    registry.noteBulk(id, .deleted)
  }

  func setUnreadableMembers(
    of id: Int64, _ relationship: Relationship, from old: [Int64], to new: [Int64]
  ) throws(PersistenceError) {
    guard case .join(let join, let own, let other) = relationship.storage else { return }
    let pair = "\(SQL.name(own))=?1 AND \(SQL.name(other))=?2"
    try space.writePending()
    for member in old where !new.contains(member) {
      try space.run("DELETE FROM \(SQL.name(join.name)) WHERE \(pair)", [.integer(id), .integer(member)])
    }
    for member in new where !old.contains(member) {
      try space.run(
        "INSERT INTO \(SQL.name(join.name))(\(SQL.name(own)),\(SQL.name(other))) VALUES(?1,?2)",
        [.integer(id), .integer(member)])
    }
    if let order = relationship.orderColumn {
      for (position, member) in new.enumerated() {
        try space.run(
          "UPDATE \(SQL.name(join.name)) SET \(order)=?3 WHERE \(pair)",
          [.integer(id), .integer(member), .integer(Int64(position))])
      }
    }
    space.links.note(.all(join: join.index))
    space.unloadAllRelationships()
  }
}
