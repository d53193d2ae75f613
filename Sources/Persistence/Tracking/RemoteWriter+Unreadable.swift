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
}
