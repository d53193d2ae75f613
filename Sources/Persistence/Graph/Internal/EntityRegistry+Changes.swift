extension EntityRegistry {
  /// Records the old value and registers the object as changed. Returns false if the write must be dropped.
  @inline(__always) func noteChange(of object: ManagedObject, _ slot: Int) -> Bool {
    guard isolation.pointee.isCurrent else {
      refuseOutsideContext()
      return false
    }
    if object._changed.isEmpty { changes.changed.append(object) }
    object._changed.insert(slot)
    changes.overwrites.append(
      .init(object: .passUnretained(object), slot: Int32(truncatingIfNeeded: slot), old: value(slot, of: object)))
    return true
  }

  /// Freezes the changes made so far, to distinguish them from later ones.
  func freezeChanges() {
    for object in changes.changed where !object._changed.isEmpty {
      changes.updates.append(.init(object: object, mask: object._changed))
      object._changed = SlotSet()
    }
    changes.changed.removeAll(keepingCapacity: changes.changed.count < 4096)
    changes.freezes &+= 1
    while changes.frozenInserts < changes.inserted.count {
      changes.inserted[changes.frozenInserts]._changed = SlotSet()
      changes.frozenInserts += 1
    }
  }

  /// Clears the pending changes after everything was stored.
  func committed() {
    if changes.hasReturned { space.store.withholdIDs(of: entity.index, upTo: highestReturnedID) }
    for object in changes.inserted {
      object._state &= ~(ObjectState.fresh | ObjectState.written | ObjectState.returned)
    }
    changes.removeAll()
    bulk = nil
    ids.isProvisional = false
  }

  /// Marks written changes as pending again after the open transaction was rolled back.
  func markUnwritten() {
    // Check every entry: an interrupted run has written more updates than the counter says.
    for index in changes.updates.indices where changes.updates[index].isWritten {
      changes.updates[index].object._version &-= changes.updates[index].writes
      changes.updates[index].writes = 0
    }
    for object in changes.inserted[..<changes.writtenInserts] {
      object._state &= ~ObjectState.written
      object._version = 1
    }
    changes.writtenInserts = 0
    changes.writtenUpdates = 0
    changes.writtenDeletes = 0
    changes.unsettled.removeAll()
    changes.deletedRowsOfOthers.removeAll()
    bulk = nil
  }

  /// Undoes in memory what followed the mark. The transaction must have been rolled back already.
  func rollBack(to earlier: PendingChanges.Mark) {
    markUnwritten()
    // The body may have discarded more than its own changes.
    let mark = changes.clamped(earlier)
    for overwrite in changes.overwrites[mark.overwrites...].reversed() {
      // An attribute can hold any value it has held before.
      assign(overwrite.old, to: Int(overwrite.slot), of: overwrite.object.takeUnretainedValue())
    }
    for object in changes.changed { object._changed = SlotSet() }
    // If several objects had the same id in turn, the first one is revived last.
    for object in changes.deleted[mark.deleted...].reversed() { revive(object) }
    for object in changes.inserted[mark.inserted...] { detach(object) }
    changes.overwrites.removeSubrange(mark.overwrites...)
    changes.increments.removeSubrange(mark.increments...)
    changes.markedIncrements = min(changes.markedIncrements, mark.increments)
    changes.changed.removeAll()
    changes.updates.removeSubrange(mark.updates...)
    changes.deleted.removeSubrange(mark.deleted...)
    changes.inserted.removeSubrange(mark.inserted...)
    changes.frozenInserts = changes.inserted.count
    changes.resetIndexes()
  }

  /// Undoes a deletion in memory.
  private func revive(_ object: ManagedObject) {
    object._state &= ~(ObjectState.deleted | ObjectState.deletedElsewhere)
    noteEverything(of: object)
    deletedObjects.remove(object)
    map.insert(object)
  }

  /// Deletes an object in memory.
  func markDeleted(_ object: ManagedObject) {
    // Its changes stay in `changed` and `overwrites` for a rollback, but none of them will be written.
    changes.deleted.append(object)
    detach(object)
  }
}
