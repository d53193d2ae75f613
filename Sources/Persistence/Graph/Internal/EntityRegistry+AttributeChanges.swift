extension EntityRegistry {
  func attributeChanges(of object: ManagedObject) -> [AttributeChange] {
    if object._state & ObjectState.fresh != 0 {
      return entity.columns.enumerated().map { slot, column in
        AttributeChange(column, old: .null, new: value(slot, of: object))
      }
    }
    var old: [Int: StoredValue] = [:]
    for overwrite in changes.overwriteIndexes(of: object).lazy.map({ self.changes.overwrites[$0] }) {
      // The first recorded value is the one in the store.
      if old[Int(overwrite.slot)] == nil { old[Int(overwrite.slot)] = overwrite.old }
    }
    return old.sorted { $0.key < $1.key }.compactMap { slot, old in
      let new = value(slot, of: object)
      return new == old ? nil : AttributeChange(entity.columns[slot], old: old, new: new)
    }
  }
}
