extension ObjectSpace {
  /// Deletes an object and all that goes with it, level by level: lists and no recursion, since what cascades may be as long as
  /// the store is large.
  func deleteCascading(_ object: ManagedObject) {
    var level: ContiguousArray<ManagedObject> = [object]
    do {
      // One transaction for all that has to be fetched: each begins with writing what is pending.
      try reading { () throws(PersistenceError) in
        while !level.isEmpty { level = deleteLevel(level) }
      }
    } catch {
      fail(error)
    }
  }

  /// Deletes objects of any class. Returns what has to go with them.
  private func deleteLevel(_ objects: ContiguousArray<ManagedObject>) -> ContiguousArray<ManagedObject> {
    var next: ContiguousArray<ManagedObject> = []
    for (index, group) in Dictionary(grouping: objects, by: { $0._table?.entity.index ?? -1 }).sorted(by: {
      $0.key < $1.key
    })
    where index >= 0 {
      for first in stride(from: 0, to: group.count, by: ObjectTable.deletionBatch) {
        let batch = group[first..<min(first + ObjectTable.deletionBatch, group.count)]
        next.append(contentsOf: tables[index].delete(ContiguousArray(batch)))
      }
    }
    return next
  }
}

extension ObjectTable {
  /// How many objects' relationships are fetched together when they are deleted.
  static let deletionBatch = 1024

  /// Deletes objects in memory, and applies the delete rules of their relationships. Returns what has to go with them.
  fileprivate func delete(_ objects: ContiguousArray<ManagedObject>) -> ContiguousArray<ManagedObject> {
    var cascade: ContiguousArray<ManagedObject> = []
    var stale: [Relationship] = []
    // All that the rules need is in memory before the first object goes: a fetch in between would find it half gone, and leave
    // it among the members of others.
    withExtendedLifetime(fetchRelated(of: objects)) {
      for object in objects where !object.isDeleted {
        let reached = entity.relationships.map { related($0, of: object) }
        let sets = entity.relationships.map { $0.isToMany ? members($0, of: object).pointee : nil }
        // Its own members need not leave it one by one.
        unloadRelationships(of: object)
        for (index, relationship) in entity.relationships.enumerated() {
          let rule = relationship.declaration.rule
          if rule == .cascade { cascade.append(contentsOf: reached[index]) }
          if rule == .deny { space.denials.append(denial(relationship, of: object)) }
          sever(relationship, of: object, reached[index], sets[index], &stale)
        }
        markDeleted(object)
      }
    }
    for relationship in stale { space.unload(relationship) }
    return cascade
  }

  /// Fetches what the rules need and is not in memory. Members stay there by way of their owners; other objects are returned,
  /// to be held.
  private func fetchRelated(of objects: ContiguousArray<ManagedObject>) -> [ContiguousArray<ManagedObject>] {
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

  /// Whether the delete rule is about the related objects themselves. Denying asks the store when it saves; pairs are deleted
  /// without knowing them; and the target of a to-one with a to-many behind it matters only if it is in memory, or goes too.
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

  /// What the rule needs of the related objects.
  private func related(_ relationship: Relationship, of object: ManagedObject) -> ContiguousArray<ManagedObject> {
    if let slot = relationship.declaration.slot {
      let id = place(slot, of: object).load(as: Int64.self)
      guard id != 0 else { return [] }
      if !needsRelated(relationship) {
        return space.table(of: relationship.target).map.object(id).map { [$0] } ?? []
      }
      return target(of: object, slot: slot, id: id).map { [$0] } ?? []
    }
    guard needsRelated(relationship), let relation = relationship.declaration.relation else { return [] }
    return members(of: object, relation: relation)
  }

  /// Takes the object out of the other side.
  ///
  /// - Parameters:
  ///   - set: the object's own members, if they were in memory.
  ///   - stale: takes the relationships of others that may still show the object.
  private func sever(
    _ relationship: Relationship, of object: ManagedObject, _ reached: ContiguousArray<ManagedObject>,
    _ set: RelatedSet?, _ stale: inout [Relationship]
  ) {
    let inverse = relationship.inverse
    let others = space.table(of: relationship.target)
    switch relationship.storage {
    case .column:
      for other in reached {
        if inverse.isToMany {
          others.change(inverse, of: other) { $0.remove(object) }
        } else if let slot = inverse.declaration.slot {
          others.setTarget(of: other, slot: slot, to: nil)
        }
      }
    case .inverseColumn(let slot):
      // What is going too need not be changed before, unless its own rule would look for the object.
      if relationship.declaration.rule == .cascade, inverse.declaration.rule == .nullify { return }
      for other in reached { others.setTarget(of: other, slot: slot, to: nil) }
    case .join(let join, let own, _):
      if relationship.declaration.rule == .deny { return }
      if let set {
        for other in set.objects { others.change(inverse, of: other) { $0.remove(object) } }
      } else if !stale.contains(where: { $0 === inverse }) {
        stale.append(inverse)
      }
      space.links.append(.clear(join, column: own, id: object._id))
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
