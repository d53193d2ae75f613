/// The target of a to-one relationship, looked up once per space because the lookup costs more than setting the
/// relationship.
struct ToOneLink {
  // Both live as long as the space, and only the space has the link.
  let targets: Unmanaged<EntityRegistry>
  let relationship: Unmanaged<Relationship>
  /// The offset of the members of the inverse in an object, if the inverse is to-many.
  let inverseOffset: Int?

  init(_ relationship: Relationship, in space: ObjectSpace) {
    targets = .passUnretained(space.registry(of: relationship.target))
    self.relationship = .passUnretained(relationship)
    inverseOffset = relationship.inverse.isToMany ? relationship.inverse.offset : nil
  }

  /// Whether the members of the inverse are in memory and must be updated.
  @inline(__always) func isLoaded(_ owner: ManagedObject) -> Bool {
    guard let inverseOffset else { return false }
    // An optional reference is a word that may be 0.
    return (Unmanaged.passUnretained(owner).toOpaque() + inverseOffset).load(as: Int.self) != 0
  }
}

extension EntityRegistry {
  /// Creates the links. Call this once all registries exist.
  func linkToOnes() { toOnes = ContiguousArray(entity.references.map { $0.map { ToOneLink($0, in: space) } }) }

  /// Returns the target of a to-one relationship.
  @inline(__always) func related(to object: ManagedObject, _ slot: Int, id: Int64) -> ManagedObject? {
    guard let link = toOnes[slot] else { return nil }
    if let known = link.targets._withUnsafeGuaranteedRef({ $0.map.object(id) }) { return known }
    return fetchTarget(of: object, slot: slot, id: id)
  }

  @inline(never) private func fetchTarget(of object: ManagedObject, slot: Int, id: Int64) -> ManagedObject? {
    do {
      return try readTarget(of: object, slot: slot, id: id)
    } catch {
      space.failReading(error)
      return nil
    }
  }

  private func readTarget(
    of object: ManagedObject, slot: Int, id: Int64
  ) throws(PersistenceError) -> ManagedObject? {
    guard id != 0, let relationship = entity.references[slot] else { return nil }
    let targets = space.registry(of: relationship.target)
    if let known = targets.map.object(id) { return known }
    return try targets.fault(id, relationship, from: object, slot, in: self)
  }

  /// Sets a to-one relationship and its inverse.
  func setTarget(of object: ManagedObject, slot: Int, to target: ManagedObject?) {
    guard let link = toOnes[slot] else { return }
    if object._state & (ObjectState.making | ObjectState.deleted) != 0 { return }
    if let target, !accepts(target, by: link) { return }
    let old = address(of: slot, in: object).load(as: Int64.self)
    let new = target?._id ?? 0
    if old == new {
      // The relationship is as it is asked for, whatever was refused before.
      if !space.refusedEdits.isEmpty, let relationship = entity.references[slot] {
        forgetRefusals(of: object, relationship, replacedBy: .assignment)
      }
      return
    }
    if watched != 0 { noteInverse(link, old, new) }
    if link.inverseOffset != nil {
      if space.answers.count > 0 { forgetAnswers(link, old, new) }
      let owner = old == 0 ? nil : link.targets._withUnsafeGuaranteedRef { $0.map.object(old) }
      if let owner, link.isLoaded(owner) { changeInverse(link, of: owner) { $0.remove(object) } }
      if let target { join(object, target, by: link) }
    } else {
      guard setPartner(of: object, slot: slot, from: old, to: target) else { return }
    }
    setReference(of: object, slot, to: new)
  }

  @inline(__always) private func accepts(_ target: ManagedObject, by link: ToOneLink) -> Bool {
    target._objectOwner?.toOpaque() == link.targets.toOpaque() && !target.isDeleted && isolation.pointee.isCurrent
      || space.accepts(target)
  }

  @inline(never) private func forgetAnswers(_ link: ToOneLink, _ owners: Int64...) {
    let inverse = link.relationship._withUnsafeGuaranteedRef { $0.inverse }
    for owner in owners { space.answers.remove(inverse, of: owner) }
  }

  /// Notes the inverse of a to-one relationship if it is to-many. To-one inverses are noted as they are set.
  @inline(never) private func noteInverse(_ link: ToOneLink, _ owners: Int64...) {
    let inverse = link.relationship._withUnsafeGuaranteedRef { $0.inverse }
    if inverse.isToMany { for owner in owners { space.noteMembers(inverse, of: owner) } }
  }

  private func changeInverse(_ link: ToOneLink, of owner: ManagedObject, _ change: (RelatedSet) -> Void) {
    let relationship = link.relationship.takeUnretainedValue()
    link.targets.takeUnretainedValue().change(relationship.inverse, of: owner, change)
  }

  /// Makes the object a member of the inverse. If the inverse is ordered, the object becomes the last member.
  private func join(_ object: ManagedObject, _ target: ManagedObject, by link: ToOneLink) {
    if link.isLoaded(target) { changeInverse(link, of: target) { $0.insert(object) } }
    let inverse = link.relationship._withUnsafeGuaranteedRef { $0.inverse }
    if inverse.isOrdered { space.links.append(.last(inverse, owner: target._id, member: object._id)) }
  }

  /// Sets a one-to-one relationship, and clears the references of both previous partners. Returns false if one of them
  /// cannot be read.
  private func setPartner(of object: ManagedObject, slot: Int, from old: Int64, to target: ManagedObject?) -> Bool {
    guard let relationship = entity.references[slot], let inverseSlot = relationship.inverse.declaration.slot else {
      return true
    }
    let targets = space.registry(of: relationship.target)
    let rivalID = target.map { targets.address(of: inverseSlot, in: $0).load(as: Int64.self) } ?? 0
    let previous = readToEdit(relationship, of: object, for: .assignment) { () throws(PersistenceError) in
      let partner = try readTarget(of: object, slot: slot, id: old)
      guard let target else { return (partner: partner, rival: nil as ManagedObject?) }
      return try (partner: partner, rival: targets.readTarget(of: target, slot: inverseSlot, id: rivalID))
    }
    guard let previous else { return false }
    if let partner = previous.partner { targets.setReference(of: partner, inverseSlot, to: 0) }
    if let rival = previous.rival { setReference(of: rival, slot, to: 0) }
    if let target { targets.setReference(of: target, inverseSlot, to: object._id) }
    return true
  }

  /// Changes only the foreign key.
  private func setReference(of object: ManagedObject, _ slot: Int, to id: Int64) {
    if !object._changed.contains(slot) {
      if object._state & (ObjectState.making | ObjectState.deleted) != 0 || !noteChange(of: object, slot) { return }
    }
    note(object, slot)
    address(of: slot, in: object).storeBytes(of: id, as: Int64.self)
  }

  /// Changes the members of a to-many relationship if they are in memory.
  func change(_ relationship: Relationship, of owner: ManagedObject, _ change: (RelatedSet) -> Void) {
    noteMembers(relationship, of: owner)
    if let set = members(relationship, of: owner).pointee { change(set) }
    space.answers.remove(relationship, of: owner._id)
  }
}

extension ObjectSpace {
  /// Whether an object can be related to objects of this space. If not, the closure fails.
  func accepts(_ object: ManagedObject) -> Bool {
    guard isIsolated else {
      fail(.wrongContext)
      return false
    }
    guard let registry = object._ownRegistry, registry.space === self else {
      fail(.foreignObject(type: "\(type(of: object))"))
      return false
    }
    if !object.isDeleted { return true }
    // A policy that prefers the other context's deletion discards this change, like any edit of the object.
    if object._state & ObjectState.deletedElsewhere == 0 || !mergePolicy.prefersTheirs {
      fail(.conflict(MergeConflict(kind: .deleted, type: registry.entity.name, id: object._id)))
    }
    return false
  }
}
