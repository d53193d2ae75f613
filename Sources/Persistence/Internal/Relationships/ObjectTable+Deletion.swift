extension ObjectTable {
  /// Deletes an object in memory, and applies the delete rules of its relationships. Answers what has to go with it.
  func delete(_ object: ManagedObject) -> ContiguousArray<ManagedObject> {
    var cascade: ContiguousArray<ManagedObject> = []
    for relationship in entity.relationships {
      let rule = relationship.declaration.rule
      let reached = related(relationship, of: object, rule: rule)
      if rule == .cascade { cascade.append(contentsOf: reached) }
      if rule == .deny { space.denials.append(denial(relationship, of: object)) }
      sever(relationship, of: object, reached, rule)
    }
    unloadRelationships(of: object)
    markDeleted(object)
    return cascade
  }

  private func denial(_ relationship: Relationship, of object: ManagedObject) -> PendingDenial {
    let target = relationship.declaration.slot.map { place($0, of: object).load(as: Int64.self) }
    return PendingDenial(relationship: relationship, id: object._id, target: target)
  }

  /// What the rule needs of the related objects. Denying asks the store when it saves.
  private func related(
    _ relationship: Relationship, of object: ManagedObject, rule: DeleteRule
  ) -> ContiguousArray<ManagedObject> {
    if let slot = relationship.declaration.slot {
      let id = place(slot, of: object).load(as: Int64.self)
      // The target of a to-one with a to-many behind it matters only if it is in memory, or goes too.
      guard id != 0 else { return [] }
      if relationship.inverse.isToMany && rule != .cascade {
        return space.table(of: relationship.target).map.object(id).map { [$0] } ?? []
      }
      return target(of: object, slot: slot, id: id).map { [$0] } ?? []
    }
    guard rule != .deny, let relation = relationship.declaration.relation else { return [] }
    if case .join = relationship.storage, rule == .nullify { return [] }
    return members(of: object, relation: relation)
  }

  /// Takes the object out of the other side.
  private func sever(
    _ relationship: Relationship, of object: ManagedObject, _ reached: ContiguousArray<ManagedObject>,
    _ rule: DeleteRule
  ) {
    let inverse = relationship.inverse
    let others = space.table(of: relationship.target)
    switch relationship.storage {
    case .column:
      for other in reached {
        if inverse.isToMany {
          others.touch(inverse, of: other) { $0.remove(object) }
        } else if let slot = inverse.declaration.slot {
          others.setTarget(of: other, slot: slot, to: nil)
        }
      }
    case .inverseColumn(let slot):
      if rule == .deny { return }
      for other in reached { others.setTarget(of: other, slot: slot, to: nil) }
    case .join(let join, let own, _):
      if rule == .deny { return }
      if let set = members(relationship, of: object).pointee {
        for other in set.objects { others.touch(inverse, of: other) { $0.remove(object) } }
      } else {
        // Without knowing whose members it is, all of them are read again when they are needed.
        space.unload(inverse)
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
