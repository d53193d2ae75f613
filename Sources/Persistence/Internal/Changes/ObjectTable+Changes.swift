extension ObjectTable {
  /// Keeps the old value and enlists the object. False: the write is dropped.
  @inline(__always) func willChange(_ object: ManagedObject, _ slot: Int) -> Bool {
    guard isolation.pointee.isCurrent else {
      refuseOutsideContext()
      return false
    }
    if object._changed.isEmpty { changes.changed.append(object) }
    object._changed.insert(slot)
    changes.undo.append(
      .init(object: .passUnretained(object), slot: Int32(truncatingIfNeeded: slot), old: value(slot, of: object)))
    return true
  }

  /// Puts aside what has changed, so that what changes from here on can be told from it.
  func seal() {
    for object in changes.changed where !object._changed.isEmpty {
      changes.updates.append(.init(object: object, mask: object._changed))
      object._changed = SlotSet()
    }
    changes.changed.removeAll(keepingCapacity: changes.changed.count < 4096)
    changes.seals &+= 1
    while changes.sealedInserts < changes.inserted.count {
      changes.inserted[changes.sealedInserts]._changed = SlotSet()
      changes.sealedInserts += 1
    }
  }

  /// Everything is stored.
  func committed() {
    if changes.hasReturned { space.store.withholdIDs(of: entity.index, upTo: highestReturnedID) }
    for object in changes.inserted {
      object._state &= ~(ObjectState.fresh | ObjectState.written | ObjectState.returned)
    }
    changes.removeAll()
    ids.isProvisional = false
  }

  /// The open transaction was rolled back: what was written to it is pending again.
  func unwrite() {
    // Of a run that was left in its midst, more are written than the count says.
    for index in changes.updates.indices where changes.updates[index].isWritten {
      changes.updates[index].object._version &-= 1
      changes.updates[index].isWritten = false
    }
    for object in changes.inserted[..<changes.writtenInserts] {
      object._state &= ~ObjectState.written
      object._version = 1
    }
    changes.writtenInserts = 0
    changes.writtenUpdates = 0
    changes.writtenDeletes = 0
    changes.unsettled.removeAll()
  }

  /// Undoes what came after the mark, in memory. What was written to the transaction has been rolled back before.
  func rollBack(to earlier: PendingChanges.Mark) {
    unwrite()
    // The body may have given up more than its own changes.
    let mark = changes.clamped(earlier)
    for undo in changes.undo[mark.undo...].reversed() {
      // What an attribute held, it can hold.
      assign(undo.old, to: Int(undo.slot), of: undo.object.takeUnretainedValue())
    }
    for object in changes.changed { object._changed = SlotSet() }
    // Of several that had one id in turn, the first is the last to come back.
    for object in changes.deleted[mark.deleted...].reversed() { revive(object) }
    for object in changes.inserted[mark.inserted...] { detach(object) }
    changes.undo.removeSubrange(mark.undo...)
    changes.increments.removeSubrange(mark.increments...)
    changes.markedIncrements = min(changes.markedIncrements, mark.increments)
    changes.changed.removeAll()
    changes.updates.removeSubrange(mark.updates...)
    changes.deleted.removeSubrange(mark.deleted...)
    changes.inserted.removeSubrange(mark.inserted...)
    changes.sealedInserts = changes.inserted.count
    changes.resetIndexes()
  }

  /// A deletion is undone.
  private func revive(_ object: ManagedObject) {
    object._state &= ~ObjectState.deleted
    deletedObjects.remove(object)
    map.insert(object)
  }

  /// A deletion, in memory.
  func markDeleted(_ object: ManagedObject) {
    // What it had changed stays in `changed` and `undo`, for the rollback; there is nothing to write of it.
    changes.deleted.append(object)
    detach(object)
  }
}
