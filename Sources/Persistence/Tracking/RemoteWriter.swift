/// Writes rows as they are elsewhere, see ``ObjectSpace/applyRemote(_:)``. Classes and properties have their names in
/// the schema, and values their stored form.
package final class RemoteWriter {
  let space: ObjectSpace
  private var tables: [String: Table] = [:]
  var isValid = true

  static let wrongType = "the value does not have the attribute's type"
  static let noAttribute = "the class has no such attribute"

  struct Table {
    let registry: EntityRegistry
    /// By property.
    let slots: [String: Int]
    /// Reads the values of a row.
    let selection: String
  }

  /// Outside of ``ObjectSpace/applyRemote(_:)``, it only reads.
  package init(_ space: ObjectSpace) { self.space = space }

  /// Inserts an object. The properties without a value have the default values of the class.
  ///
  /// - Returns: The object's id.
  package func insert(_ type: String, _ values: [String: StoredValue]) throws(PersistenceError) -> Int64 {
    let table = try table(of: type)
    let object = try table.registry.insert(space.nextID(for: table.registry), as: table.registry.entity.type)
    try set(values, of: object, table)
    return object._id
  }

  /// Inserts an object that was deleted, under the id that it had.
  package func restore(_ type: String, id: Int64, _ values: [String: StoredValue]) throws(PersistenceError) {
    let table = try table(of: type)
    // A deletion that is not written yet would remove the new row.
    try space.writePending()
    let object = try table.registry.insert(id, as: table.registry.entity.type)
    object._state |= ObjectState.returned
    table.registry.changes.hasReturned = true
    try set(values, of: object, table)
  }

  /// Sets attributes, and to-one relationships by the id of the object or to null.
  package func update(_ type: String, id: Int64, _ values: [String: StoredValue]) throws(PersistenceError) {
    let table = try table(of: type)
    if let object = try object(id, table.registry) {
      try set(values, of: object, table)
    } else {
      try setUnreadable(values, id, table)
    }
  }

  /// Sets the members of a to-many relationship, by their ids and in their order.
  package func setMembers(_ type: String, id: Int64, _ property: String, to ids: [Int64]) throws(PersistenceError) {
    let registry = try table(of: type).registry
    let relationship = try relationship(property, of: registry)
    let targets = space.registry(of: relationship.target)
    let old = try self.members(type, id: id, property)
    // They stay in memory until they are members.
    var members: [ManagedObject] = []
    for id in ids { if let member = try object(id, targets) { members.append(member) } }
    var areReadable = members.count == ids.count
    for id in old where areReadable { areReadable = try readable(id, targets) != nil }
    guard areReadable, let owner = try object(id, registry) else {
      return try setUnreadableMembers(of: id, relationship, from: old, to: ids)
    }
    registry.setMembers(of: owner, by: relationship, to: members)
    withExtendedLifetime(members) {}
    try space.throwFailure()
  }

  /// Returns the ids of the members of a to-many relationship in their order, also of those that cannot be read.
  package func members(_ type: String, id: Int64, _ property: String) throws(PersistenceError) -> [Int64] {
    let relationship = try relationship(property, of: table(of: type).registry)
    if space.hasUnwritten { try space.writePending() }
    let rows = relationship.rows(PendingTables(), where: "\(relationship.ownerColumn)=?1")
    return try space.rows(
      "SELECT \(relationship.memberColumn)\(rows) ORDER BY \(relationship.memberOrder)", [.integer(id)]
    ).compactMap { if case .integer(let id) = $0[0] { id } else { nil } }
  }

  private func relationship(
    _ property: String, of registry: EntityRegistry
  ) throws(PersistenceError) -> Relationship {
    guard let found = registry.entity.toMany.first(where: { $0.property == property }) else {
      throw .notInSchema(type: "\(registry.entity.name).\(property)")
    }
    return found
  }

  /// Returns the values of an object by property, with what is not written yet. Nil if there is no such object.
  ///
  /// Those that are not changed are as they are stored: the object may not have them, because it cannot read them or
  /// writes them differently.
  package func values(_ type: String, id: Int64) throws(PersistenceError) -> [String: StoredValue]? {
    let table = try table(of: type)
    let object = table.registry.map.object(id)
    let changes = table.registry.changes
    if object == nil, changes.writtenDeletes < changes.deleted.count { try space.writePending() }
    guard let stored = try space.rows(table.selection, [.integer(id)]).first else {
      return object.map { object in table.slots.mapValues { table.registry.value($0, of: object) } }
    }
    return table.slots.mapValues { slot in
      guard let object, object._changed.contains(slot) else { return stored[slot] }
      return table.registry.value(slot, of: object)
    }
  }

  /// Writes what is pending, so that ``ObjectSpace/rows(_:_:)`` reads it.
  package func flush() throws(PersistenceError) { try space.writePending() }

  /// Deletes an object, and removes it from all relationships.
  ///
  /// - Returns: The to-one relationships that referred to the object.
  package func delete(_ type: String, id: Int64) throws(PersistenceError) -> [RemovedReference] {
    let registry = try table(of: type).registry
    // What refers to the object is found in the tables.
    try space.writePending()
    let object = try object(id, registry)
    var removed: [RemovedReference] = []
    for other in space.registries {
      for (slot, reference) in other.entity.references.enumerated() {
        guard let reference, reference.target === registry.entity else { continue }
        for referrer in try referrers(of: id, by: slot, in: other) where other !== registry || referrer != id {
          try set(.null, slot, ofRow: referrer, other)
          removed.append(RemovedReference(type: other.entity.name, id: referrer, property: reference.property))
        }
      }
    }
    for relationship in registry.entity.relationships {
      guard case .join(let join, let own, _) = relationship.storage else { continue }
      space.unload(relationship.inverse)
      space.links.append(.clear(join, column: own, id: id))
    }
    guard let object else {
      try deleteUnreadable(id, registry)
      return removed
    }
    registry.unloadRelationships(of: object)
    registry.markDeleted(object)
    return removed
  }

  private func referrers(
    of id: Int64, by slot: Int, in registry: EntityRegistry
  ) throws(PersistenceError) -> [Int64] {
    try space.rows(
      "SELECT \(SQL.name(SQL.id)) FROM \(registry.entity.table) WHERE \(registry.entity.columns[slot].quoted)=?1",
      [.integer(id)]
    ).compactMap { if case .integer(let id) = $0[0] { id } else { nil } }
  }

  func table(of type: String) throws(PersistenceError) -> Table {
    guard isValid else { throw .notPersisting }
    if let known = tables[type] { return known }
    guard let registry = space.registries.first(where: { $0.entity.name == type }) else {
      throw .notInSchema(type: type)
    }
    let entity = registry.entity
    let slots = entity.columns.enumerated().map { ($1.property, $0) }
    let columns = entity.columns.isEmpty ? "1" : entity.columns.map(\.quoted).joined(separator: ",")
    let table = Table(
      registry: registry, slots: Dictionary(slots) { first, _ in first },
      selection: "SELECT \(columns) FROM \(entity.table) WHERE \(SQL.name(SQL.id))=?1")
    tables[type] = table
    return table
  }

  /// Returns an object, or nil if one of its values cannot be read.
  private func object(_ id: Int64, _ registry: EntityRegistry) throws(PersistenceError) -> ManagedObject? {
    if let object = try readable(id, registry) { return object }
    let known = try space.rows("SELECT 1 FROM \(registry.entity.table) WHERE \(SQL.name(SQL.id))=?1", [.integer(id)])
    if known.isEmpty { throw .notFound(type: registry.entity.name, id: id) }
    return nil
  }

  private func readable(_ id: Int64, _ registry: EntityRegistry) throws(PersistenceError) -> ManagedObject? {
    if let known = registry.map.object(id) { return known }
    do {
      return try registry.fetch(id)
    } catch {
      // The store's configuration may also leave it out.
      guard case .invalidValue = error else { throw error }
      return nil
    }
  }

  private func set(
    _ values: [String: StoredValue], of object: ManagedObject, _ table: Table
  ) throws(PersistenceError) {
    let registry = table.registry
    for (property, value) in values {
      guard let slot = table.slots[property] else {
        throw .invalidValue(
          InvalidValue(
            type: registry.entity.name, attribute: property, id: object._id, reason: Self.noAttribute))
      }
      let old = registry.value(slot, of: object)
      try set(value, slot, of: object, registry)
      guard let reference = registry.entity.references[slot], let inverse = reference.inverse.declaration.slot
      else { continue }
      try setPartner(of: object, slot, registry, from: old, to: value, inverse, space.registry(of: reference.target))
    }
  }

  private func set(
    _ value: StoredValue, _ slot: Int, of object: ManagedObject, _ registry: EntityRegistry
  ) throws(PersistenceError) {
    // The store may have another value than the object, which could not be read.
    if registry.entity.references[slot] != nil, registry.value(slot, of: object).isSame(as: value) { return }
    if !object._changed.contains(slot), !registry.willChange(object, slot) { throw .wrongContext }
    guard registry.assign(value, to: slot, of: object) else {
      throw registry.invalidValue(slot, id: object._id, Self.wrongType)
    }
  }

  private func set(
    _ value: StoredValue, _ slot: Int, ofRow id: Int64, _ registry: EntityRegistry
  ) throws(PersistenceError) {
    if let object = try object(id, registry) { return try set(value, slot, of: object, registry) }
    try setUnreadable([registry.entity.columns[slot].property: value], id, table(of: registry.entity.name))
  }

  /// Sets the other side of a one-to-one relationship, which has a column of its own, and clears the sides of both
  /// previous partners.
  private func setPartner(
    of object: ManagedObject, _ slot: Int, _ registry: EntityRegistry, from old: StoredValue, to new: StoredValue,
    _ inverse: Int, _ targets: EntityRegistry
  ) throws(PersistenceError) {
    let own = StoredValue.integer(object._id)
    if case .integer(let id) = old, old != new, let partner = try readable(id, targets),
      targets.value(inverse, of: partner) == own
    {
      try set(.null, inverse, of: partner, targets)
    }
    guard case .integer(let id) = new else { return }
    if let target = try self.object(id, targets), case .integer(let rival) = targets.value(inverse, of: target),
      rival != object._id
    {
      try set(.null, slot, ofRow: rival, registry)
    }
    try set(own, inverse, ofRow: id, targets)
  }
}
