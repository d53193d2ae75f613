extension EntityRegistry {
  /// Freezes what was inserted or changed, validates what follows the mark, and moves the mark, in one pass. Returns
  /// false if there was nothing to validate.
  ///
  /// Validation may change objects. It may also fetch, which freezes changes too. All positions are therefore looked up
  /// again afterward.
  ///
  /// - Parameter budget: The number of objects that may still be validated before this reports a validation cycle.
  func freezeAndValidate(
    from mark: inout PendingChanges.Mark, within budget: inout Int
  ) throws(PersistenceError) -> Bool {
    let begin = mark
    while mark.inserted < changes.inserted.count {
      let object = changes.inserted[mark.inserted]
      if mark.inserted == changes.frozenInserts {
        object._changed = SlotSet()
        changes.frozenInserts += 1
      }
      mark.inserted += 1
      try validate(object, within: &budget)
    }
    var index = 0
    var freezes = changes.freezes
    while index < changes.changed.count {
      let object = changes.changed[index]
      index += 1
      if object._changed.isEmpty { continue }
      changes.updates.append(.init(object: object, mask: object._changed))
      object._changed = SlotSet()
      try validateUpdates(from: &mark, within: &budget)
      if changes.freezes != freezes {
        freezes = changes.freezes
        index = 0
      }
    }
    changes.changed.removeAll(keepingCapacity: changes.changed.count < 4096)
    try validateUpdates(from: &mark, within: &budget)
    return mark.inserted > begin.inserted || mark.updates > begin.updates
  }

  @inline(__always)
  private func validateUpdates(
    from mark: inout PendingChanges.Mark, within budget: inout Int
  ) throws(PersistenceError) {
    while mark.updates < changes.updates.count {
      let update = changes.updates[mark.updates]
      mark.updates += 1
      if !update.isValidated { try validate(update.object, within: &budget) }
    }
  }

  private func validate(_ object: ManagedObject, within budget: inout Int) throws(PersistenceError) {
    if object.isDeleted { return }
    guard budget > 0 else {
      throw .invalidObject(InvalidObject(type: entity.name, id: object._id, reason: ValidationCycleError()))
    }
    budget -= 1
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
