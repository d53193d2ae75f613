extension ObjectTable {
  /// Validates what was inserted or changed since the mark, and moves the mark. False if there was nothing.
  func validate(from mark: inout PendingChanges.Mark) throws(PersistenceError) -> Bool {
    let begin = mark
    while mark.inserted < changes.inserted.count {
      try validate(changes.inserted[mark.inserted])
      mark.inserted += 1
    }
    while mark.updates < changes.updates.count {
      let object = changes.updates[mark.updates].object
      if object._state & ObjectState.fresh == 0 { try validate(object) }
      mark.updates += 1
    }
    return mark.inserted > begin.inserted || mark.updates > begin.updates
  }

  private func validate(_ object: ManagedObject) throws(PersistenceError) {
    if object.isDeleted { return }
    do {
      try object.validate()
    } catch {
      throw .invalidObject(InvalidObject(type: entity.name, id: object._id, reason: error))
    }
  }
}
