extension ObjectSpace {
  /// Deletes an object and everything that cascades from it, level by level. Uses lists instead of recursion, because a
  /// cascade may be as long as the store is large.
  func deleteCascading(_ object: ManagedObject) {
    guard let registry = object._registry else { return }
    if registry.entity.relationships.isEmpty { return registry.markDeleted(object) }
    var level = DeletionLevel(repeating: [], count: registries.count)
    level[registry.entity.index] = [object]
    func deleteAll() { while !level.allSatisfy(\.isEmpty) { level = deleteLevel(level) } }
    // The next fetch still throws an earlier failure.
    let earlier = unit.readFailure
    unit.readFailure = nil
    // Use a single transaction for all fetches. If none can begin, what needs no fetch is deleted, and the rest is
    // refused.
    do { try reading(deleteAll) } catch { deleteAll() }
    unit.readFailure = unit.readFailure ?? earlier
  }

  /// Deletes the objects of a level. Returns the objects of the next level, which must be deleted with them.
  private func deleteLevel(_ level: DeletionLevel) -> DeletionLevel {
    var next = DeletionLevel(repeating: [], count: registries.count)
    for (registry, objects) in zip(registries, level) {
      for first in stride(from: 0, to: objects.count, by: EntityRegistry.deletionBatch) {
        registry.delete(objects[first..<min(first + EntityRegistry.deletionBatch, objects.count)], cascading: &next)
      }
    }
    return next
  }
}

/// Objects that are deleted together, indexed by class.
private typealias DeletionLevel = ContiguousArray<ContiguousArray<ManagedObject>>

extension EntityRegistry {
  /// The number of objects whose relationships are fetched together during deletion.
  static let deletionBatch = 1024

  /// Deletes objects in memory and applies the delete rules of their relationships. Adds the objects that must be
  /// deleted with them to the next level.
  fileprivate func delete(_ objects: ArraySlice<ManagedObject>, cascading next: inout DeletionLevel) {
    var stale: [Relationship] = []
    // Everything that the rules need is in memory before the first object is deleted. A fetch in between would find
    // that object half deleted, and leave it among the members of others.
    guard let related = fetchRelated(of: objects) else { return }
    withExtendedLifetime(related) {
      for object in objects where !object.isDeleted {
        for (slot, relationship) in entity.references.enumerated() {
          if let relationship { leave(relationship, slot, of: object, cascading: &next) }
        }
        if !entity.toMany.isEmpty { leaveMembers(of: object, cascading: &next, &stale) }
        markDeleted(object)
        if !space.refusedEdits.isEmpty { forgetRefusals(of: object) }
      }
    }
    for relationship in stale { space.unload(relationship) }
  }

  /// Fetches what the rules need and is not in memory. Owners retain their members. Other objects are returned, and the
  /// caller must retain them. Returns nil if that fails: then the objects must not be deleted.
  private func fetchRelated(of objects: ArraySlice<ManagedObject>) -> [ContiguousArray<ManagedObject>]? {
    var held: [ContiguousArray<ManagedObject>] = []
    // Make space for all at once: none may leave memory while the next one is fetched.
    space.makeRoom(forRelationships: objects.count * entity.toMany.count)
    for relationship in entity.relationships where needsRelated(relationship) {
      do throws(PersistenceError) {
        guard let slot = relationship.declaration.slot else {
          let owners = ContiguousArray(
            objects.filter { !$0.isDeleted && members(relationship, of: $0).pointee == nil })
          if !owners.isEmpty { try load(relationship, of: owners) }
          continue
        }
        let targets = space.registry(of: relationship.target)
        let ids = Set(objects.map { address(of: slot, in: $0).load(as: Int64.self) })
        let missing = ids.filter { $0 != 0 && targets.map.object($0) == nil }
        if !missing.isEmpty { held.append(try targets.fetch(missing.sorted())) }
      } catch {
        for object in objects where !object.isDeleted {
          refuse(object, relationship, for: .deletion, unreadBecause: error)
        }
        return nil
      }
    }
    return held
  }

  /// Whether the delete rule requires the related objects themselves. The deny rule queries the store during the save.
  /// Pairs are deleted without loading their objects. The target of a to-one whose inverse is to-many matters only if
  /// it is in memory or will be deleted too.
  private func needsRelated(_ relationship: Relationship) -> Bool {
    let rule = relationship.declaration.rule
    if relationship.declaration.slot != nil { return rule == .cascade || !relationship.inverse.isToMany }
    if case .join = relationship.storage, rule == .nullify { return false }
    return rule != .deny
  }

  private func denial(_ relationship: Relationship, of object: ManagedObject) -> PendingDenial {
    let target = relationship.declaration.slot.map { address(of: $0, in: object).load(as: Int64.self) }
    return PendingDenial(relationship: relationship, id: object._id, target: target)
  }

  /// Removes the object from the other side of a to-one relationship.
  private func leave(
    _ relationship: Relationship, _ slot: Int, of object: ManagedObject, cascading next: inout DeletionLevel
  ) {
    let rule = relationship.declaration.rule
    if rule == .deny { space.denials.append(denial(relationship, of: object)) }
    let id = address(of: slot, in: object).load(as: Int64.self)
    let others = space.registry(of: relationship.target)
    space.answers.remove(relationship.inverse, of: id)
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

  /// Removes the object from the other sides of its to-many relationships.
  ///
  /// - Parameter stale: Collects the relationships of other objects that may still contain the object.
  private func leaveMembers(
    of object: ManagedObject, cascading next: inout DeletionLevel, _ stale: inout [Relationship]
  ) {
    let reached = entity.toMany.map { needsRelated($0) ? members(of: object, by: $0) : [] }
    let sets = entity.toMany.map { members($0, of: object).pointee }
    // Its members need not be removed from it one by one.
    unloadRelationships(of: object)
    for (index, relationship) in entity.toMany.enumerated() {
      let rule = relationship.declaration.rule
      if rule == .cascade { next[relationship.target.index].append(contentsOf: reached[index]) }
      if rule == .deny { space.denials.append(denial(relationship, of: object)) }
      let inverse = relationship.inverse
      let others = space.registry(of: relationship.target)
      switch relationship.storage {
      case .column: break
      case .inverseColumn(let slot):
        // Objects that will be deleted too need not be changed first, unless their own rule would look for the object.
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

/// A deletion that is valid only if a relationship is empty when it is saved.
struct PendingDenial {
  let relationship: Relationship
  let id: Int64
  /// The target of a to-one relationship.
  let target: Int64?
}

extension ObjectSpace {
  /// Throws if a deny rule is violated. Call this after everything is written and before the commit.
  func checkDeleteRules() throws(PersistenceError) {
    for denial in denials {
      let relationship = denial.relationship
      let column = denial.target == nil ? relationship.ownerColumn : SQL.name(SQL.id)
      let statement = try connection.statement(
        "SELECT 1 FROM \(relationship.memberTable) WHERE \(column)=? LIMIT 1")
      try statement.bind([.integer(denial.target ?? denial.id)])
      if try statement.integer() != nil {
        throw .deleteRule(
          DeleteRuleViolation(type: relationship.entity.name, id: denial.id, relationship: relationship.property))
      }
    }
  }
}
