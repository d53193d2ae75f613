extension EntityRegistry {
  /// Freezes what was inserted or changed, validates what follows the mark, and moves the mark, in one pass. Returns
  /// false if there was nothing to validate.
  ///
  /// Validation may change objects. It may also fetch, which freezes changes too. All positions are therefore looked up
  /// again afterwards.
  func sealAndValidate(from mark: inout PendingChanges.Mark) throws(PersistenceError) -> Bool {
    let begin = mark
    while mark.inserted < changes.inserted.count {
      let object = changes.inserted[mark.inserted]
      if mark.inserted == changes.sealedInserts {
        object._changed = SlotSet()
        changes.sealedInserts += 1
      }
      mark.inserted += 1
      try validate(object)
    }
    var index = 0
    var seals = changes.seals
    while index < changes.changed.count {
      let object = changes.changed[index]
      index += 1
      if object._changed.isEmpty { continue }
      changes.updates.append(.init(object: object, mask: object._changed))
      object._changed = SlotSet()
      try validateUpdates(from: &mark)
      if changes.seals != seals {
        seals = changes.seals
        index = 0
      }
    }
    changes.changed.removeAll(keepingCapacity: changes.changed.count < 4096)
    try validateUpdates(from: &mark)
    return mark.inserted > begin.inserted || mark.updates > begin.updates
  }

  @inline(__always)
  private func validateUpdates(from mark: inout PendingChanges.Mark) throws(PersistenceError) {
    while mark.updates < changes.updates.count {
      let update = changes.updates[mark.updates]
      mark.updates += 1
      if !update.isValidated { try validate(update.object) }
    }
  }

  private func validate(_ object: ManagedObject) throws(PersistenceError) {
    if object.isDeleted { return }
    guard space.unit.validationsLeft > 0 else {
      throw .invalidObject(InvalidObject(type: entity.name, id: object._id, reason: ValidationCycleError()))
    }
    space.unit.validationsLeft -= 1
    let before = changes.updates.count
    do {
      try object.validate()
    } catch {
      throw .invalidObject(InvalidObject(type: entity.name, id: object._id, reason: error))
    }
    // The object's changes to itself during validation need no further validation. Some of them may already be frozen.
    if !object._changed.isEmpty, object._state & ObjectState.deleted == 0 {
      changes.updates.append(.init(object: object, mask: object._changed))
      object._changed = SlotSet()
    }
    for index in changes.updates.indices.dropFirst(before) where changes.updates[index].object === object {
      changes.updates[index].isValidated = true
    }
  }
}
