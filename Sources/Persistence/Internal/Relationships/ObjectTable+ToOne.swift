extension ObjectTable {
  /// The object that a to-one leads to.
  func target(of object: ManagedObject, slot: Int, id: Int64) -> ManagedObject? {
    guard let relationship = entity.references[slot] else { return nil }
    let targets = space.table(of: relationship.target)
    if let known = targets.map.object(id) { return known }
    do {
      return try targets.fault(id, relationship, from: object, slot, in: self)
    } catch {
      space.failReading(error)
      return nil
    }
  }

  /// Sets a to-one, and with it its inverse.
  func setTarget(of object: ManagedObject, slot: Int, to target: ManagedObject?) {
    guard let relationship = entity.references[slot] else { return }
    if object._state & (ObjectState.making | ObjectState.deleted) != 0 { return }
    if let target, !space.accepts(target) { return }
    let old = place(slot, of: object).load(as: Int64.self)
    let new = target?._id ?? 0
    if old == new { return }
    let inverse = relationship.inverse
    let targets = space.table(of: relationship.target)
    if inverse.isToMany {
      if old != 0, let owner = targets.map.object(old) { targets.touch(inverse, of: owner) { $0.remove(object) } }
      if let target { targets.touch(inverse, of: target) { $0.insert(object) } }
    } else if let inverseSlot = inverse.declaration.slot {
      // One-to-one: both partners so far are left alone.
      if old != 0, let partner = self.target(of: object, slot: slot, id: old) {
        targets.setReference(of: partner, inverseSlot, to: 0)
      }
      if let target {
        let rival = targets.place(inverseSlot, of: target).load(as: Int64.self)
        if rival != 0, let rival = targets.target(of: target, slot: inverseSlot, id: rival) {
          setReference(of: rival, slot, to: 0)
        }
        targets.setReference(of: target, inverseSlot, to: object._id)
      }
    }
    setReference(of: object, slot, to: new)
  }

  /// Changes the foreign key alone.
  private func setReference(of object: ManagedObject, _ slot: Int, to id: Int64) {
    if object._changed & (1 &<< UInt64(slot)) == 0, !_willChange(object, UInt32(slot)) { return }
    place(slot, of: object).storeBytes(of: id, as: Int64.self)
  }

  /// Changes the members of a to-many that are in memory, and remembers that they differ from the store.
  func touch(_ relationship: Relationship, of owner: ManagedObject, _ change: (RelatedSet) -> Void) {
    guard let set = members(relationship, of: owner).pointee else { return }
    space.loaded.touched.append((owner, relationship))
    change(set)
    if relationship.isOrdered { space.links.setOrder(of: relationship, owner._id, set.objects.map(\._id)) }
  }
}

extension ObjectSpace {
  /// Whether an object may be related to those of this space. If not, the unit fails.
  func accepts(_ object: ManagedObject) -> Bool {
    guard let table = object._table, table.space === self, isIsolated else {
      fail(isIsolated ? .foreignObject(type: "\(type(of: object))") : .wrongContext)
      return false
    }
    return true
  }
}
