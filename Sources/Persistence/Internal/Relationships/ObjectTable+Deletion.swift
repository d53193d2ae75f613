extension ObjectSpace {
  /// Deletes an object and all that goes with it, level by level: lists and no recursion, since what cascades may be as
  /// long as the store is large.
  func deleteCascading(_ object: ManagedObject) {
    guard let table = object._table else { return }
    if table.entity.relationships.isEmpty { return table.markDeleted(object) }
    var level = DeletionLevel(repeating: [], count: tables.count)
    level[table.entity.index] = [object]
    do {
      // One transaction for all that has to be fetched: each begins with writing what is pending.
      try reading { () throws(PersistenceError) in
        while !level.allSatisfy(\.isEmpty) { level = deleteLevel(level) }
      }
    } catch {
      fail(error)
    }
  }

  /// Returns what has to go with these.
  private func deleteLevel(_ level: DeletionLevel) -> DeletionLevel {
    var next = DeletionLevel(repeating: [], count: tables.count)
    for (table, objects) in zip(tables, level) {
      for first in stride(from: 0, to: objects.count, by: ObjectTable.deletionBatch) {
        table.delete(objects[first..<min(first + ObjectTable.deletionBatch, objects.count)], cascading: &next)
      }
    }
    return next
  }
}

/// Objects that are deleted together, by the index of their class.
private typealias DeletionLevel = ContiguousArray<ContiguousArray<ManagedObject>>

extension ObjectTable {
  /// How many objects' relationships are fetched together when they are deleted.
  static let deletionBatch = 1024

  /// Deletes objects in memory, and applies the delete rules of their relationships. Adds what has to go with them to
  /// the next level.
  fileprivate func delete(_ objects: ArraySlice<ManagedObject>, cascading next: inout DeletionLevel) {
    var stale: [Relationship] = []
    // All that the rules need is in memory before the first object goes: a fetch in between would find it half gone,
    // and leave it among the members of others.
    withExtendedLifetime(fetchRelated(of: objects)) {
      for object in objects where !object.isDeleted {
        for (slot, relationship) in entity.references.enumerated() {
          if let relationship { leave(relationship, slot, of: object, cascading: &next) }
        }
        if !entity.toMany.isEmpty { leaveMembers(of: object, cascading: &next, &stale) }
        markDeleted(object)
      }
    }
    for relationship in stale { space.unload(relationship) }
  }

  /// Fetches what the rules need and is not in memory. Members stay there by way of their owners; other objects are
  /// returned, to be held.
  private func fetchRelated(of objects: ArraySlice<ManagedObject>) -> [ContiguousArray<ManagedObject>] {
    var held: [ContiguousArray<ManagedObject>] = []
    // For all at once: none may leave memory when the next one is fetched.
    space.makeRoom(forRelationships: objects.count * entity.toMany.count)
    do throws(PersistenceError) {
      for relationship in entity.relationships where needsRelated(relationship) {
        guard let slot = relationship.declaration.slot else {
          let owners = ContiguousArray(
            objects.filter { !$0.isDeleted && members(relationship, of: $0).pointee == nil })
          if !owners.isEmpty { try load(relationship, of: owners) }
          continue
        }
        let targets = space.table(of: relationship.target)
        let ids = Set(objects.map { place(slot, of: $0).load(as: Int64.self) })
        let missing = ids.filter { $0 != 0 && targets.map.object($0) == nil }
        if !missing.isEmpty { held.append(try targets.fetch(missing.sorted())) }
      }
    } catch {
      space.failReading(error)
    }
    return held
  }

  /// Whether the delete rule is about the related objects themselves. Denying asks the store when it saves; pairs are
  /// deleted without knowing them; and the target of a to-one with a to-many behind it matters only if it is in memory,
  /// or goes too.
  private func needsRelated(_ relationship: Relationship) -> Bool {
    let rule = relationship.declaration.rule
    if relationship.declaration.slot != nil { return rule == .cascade || !relationship.inverse.isToMany }
    if case .join = relationship.storage, rule == .nullify { return false }
    return rule != .deny
  }

  private func denial(_ relationship: Relationship, of object: ManagedObject) -> PendingDenial {
    let target = relationship.declaration.slot.map { place($0, of: object).load(as: Int64.self) }
    return PendingDenial(relationship: relationship, id: object._id, target: target)
  }

  /// Takes the object out of the other side of a to-one.
  private func leave(
    _ relationship: Relationship, _ slot: Int, of object: ManagedObject, cascading next: inout DeletionLevel
  ) {
    let rule = relationship.declaration.rule
    if rule == .deny { space.denials.append(denial(relationship, of: object)) }
    let id = place(slot, of: object).load(as: Int64.self)
    let others = space.table(of: relationship.target)
    let known = id == 0 ? nil : others.map.object(id)
    guard let other = known ?? (id != 0 && needsRelated(relationship) ? target(of: object, slot: slot, id: id) : nil)
    else { return }
    if rule == .cascade { next[relationship.target.index].append(other) }
    let inverse = relationship.inverse
    if inverse.isToMany {
      others.change(inverse, of: other) { $0.remove(object) }
    } else if let slot = inverse.declaration.slot {
      others.setTarget(of: other, slot: slot, to: nil)
    }
  }

  /// Takes the object out of the other side of its to-manys.
  ///
  /// - Parameter stale: takes the relationships of others that may still show the object.
  private func leaveMembers(
    of object: ManagedObject, cascading next: inout DeletionLevel, _ stale: inout [Relationship]
  ) {
    let reached = entity.toMany.enumerated().map { needsRelated($1) ? members(of: object, relation: $0) : [] }
    let sets = entity.toMany.map { members($0, of: object).pointee }
    // Its own members need not leave it one by one.
    unloadRelationships(of: object)
    for (index, relationship) in entity.toMany.enumerated() {
      let rule = relationship.declaration.rule
      if rule == .cascade { next[relationship.target.index].append(contentsOf: reached[index]) }
      if rule == .deny { space.denials.append(denial(relationship, of: object)) }
      let inverse = relationship.inverse
      let others = space.table(of: relationship.target)
      switch relationship.storage {
      case .column: break
      case .inverseColumn(let slot):
        // What is going too need not be changed before, unless its own rule would look for the object.
        if rule == .cascade, inverse.declaration.rule == .nullify { continue }
        for other in reached[index] { others.setTarget(of: other, slot: slot, to: nil) }
      case .join(let join, let own, _):
        if rule == .deny { continue }
        if let set = sets[index] {
          for other in set.objects { others.change(inverse, of: other) { $0.remove(object) } }
        } else if !stale.contains(where: { $0 === inverse }) {
          stale.append(inverse)
        }
        space.links.append(.clear(join, column: own, id: object._id))
      }
    }
  }
}

/// A deletion that is possible only if a relationship is empty by the time it is saved.
struct PendingDenial {
  let relationship: Relationship
  let id: Int64
  /// What a to-one leads to.
  let target: Int64?
}

extension ObjectSpace {
  /// After everything is written, before it is committed.
  func checkDeleteRules() throws(PersistenceError) {
    for denial in denials {
      let relationship = denial.relationship
      let column = denial.target == nil ? relationship.ownerColumn : SQL.name(SQL.id)
      let statement = try connection.statement(
        "SELECT 1 FROM \(relationship.memberTable) WHERE \(column)=? LIMIT 1")
      try statement.bind([.integer(denial.target ?? denial.id)])
      if try statement.integer() != nil {
        throw .deletionDenied(
          DeletionDenial(type: relationship.entity.name, id: denial.id, relationship: relationship.property))
      }
    }
  }
}
