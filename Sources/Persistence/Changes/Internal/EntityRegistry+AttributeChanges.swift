extension EntityRegistry {
  func attributeChanges(of object: ManagedObject) -> [AttributeChange] {
    if object._state & ObjectState.fresh != 0 {
      return entity.columns.enumerated().map { slot, column in
        AttributeChange(column, old: .null, new: value(slot, of: object))
      }
    }
    var old: [Int: StoredValue] = [:]
    for undo in changes.undoPlaces(of: object).lazy.map({ self.changes.undo[$0] }) {
      // The first recorded value is the one in the store.
      if old[Int(undo.slot)] == nil { old[Int(undo.slot)] = undo.old }
    }
    return old.sorted { $0.key < $1.key }.compactMap { slot, old in
      let new = value(slot, of: object)
      return new == old ? nil : AttributeChange(entity.columns[slot], old: old, new: new)
    }
  }
}
