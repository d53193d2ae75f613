internal import Foundation

/// Increments of numeric attributes. A merge adds them to the other context's value if the attribute was changed in no
/// other way.
extension PendingChanges {
  /// Returns the total added to an attribute, or nil if it was also changed in another way.
  mutating func increment(of object: ManagedObject, _ slot: Int) -> StoredValue? {
    let own = ownIncrements(of: object, slot)
    guard let first = own.first, own.count == overwriteIndexes(of: object, slot).count else { return nil }
    return own.dropFirst().reduce(first.amount) { sum, increment in sum.flatMap { $0.adding(increment.amount) } }
  }

  /// Replaces the value that each increment started from, after a merge.
  mutating func rebaseIncrements(of object: ManagedObject, _ slot: Int, on base: StoredValue) {
    guard increment(of: object, slot) != nil else { return }
    var value = base
    for (index, increment) in zip(overwriteIndexes(of: object, slot), ownIncrements(of: object, slot)) {
      overwrites[index] = Overwrite(object: overwrites[index].object, slot: overwrites[index].slot, old: value)
      value = value.adding(increment.amount) ?? value
    }
  }

  private mutating func ownIncrements(of object: ManagedObject, _ slot: Int) -> [Increment] {
    if increments.isEmpty { return [] }
    let indexes = incrementIndex.indexes(of: object, in: increments) { $0.object.toOpaque() }
    return indexes.map { increments[$0] }.filter { Int($0.slot) == slot }
  }

  private mutating func overwriteIndexes(of object: ManagedObject, _ slot: Int) -> [Int] {
    overwriteIndexes(of: object).filter { Int(overwrites[$0].slot) == slot }
  }
}

extension EntityRegistry {
  /// Adds to a numeric attribute.
  func add(_ amount: StoredValue, to slot: Int, of object: ManagedObject) throws(PersistenceError) {
    let old = value(slot, of: object)
    guard let sum = old.adding(amount) else { throw invalidValue(slot, id: object._id, InvalidValue.overflow) }
    if object._changed.contains(slot) {
      // The object was inserted or the attribute assigned before, so only the resulting value counts.
      guard assign(sum, to: slot, of: object) else { throw invalidValue(slot, id: object._id, InvalidValue.overflow) }
      return
    }
    let isRepeated = repeatsLastIncrement(object, slot)
    if !isRepeated, !willChange(object, slot) { return }
    guard assign(sum, to: slot, of: object) else {
      if !isRepeated {
        changes.overwrites.removeLast()
        changes.overwriteIndex.reset()
        object._changed.remove(slot)
        if object._changed.isEmpty { changes.changed.removeLast() }
      }
      throw invalidValue(slot, id: object._id, InvalidValue.overflow)
    }
    if isRepeated, let all = changes.increments[changes.increments.count - 1].amount.adding(amount) {
      changes.increments[changes.increments.count - 1].amount = all
    } else {
      if isRepeated { changes.overwrites.append(.init(object: .passUnretained(object), slot: Int32(slot), old: old)) }
      changes.increments.append(.init(object: .passUnretained(object), slot: Int32(slot), amount: amount))
    }
    // Freeze the change immediately, so that a later assignment is recognized as one.
    object._changed.remove(slot)
    let isPending = changes.updates.count > changes.copiedUpdates
    if isPending, let last = changes.updates.last, last.object === object, last.mask == SlotSet(slot), !last.isWritten {
      return
    }
    changes.updates.append(.init(object: object, mask: SlotSet(slot)))
  }

  /// Whether the very last change was an increment of the same attribute after the mark. The two can then be combined.
  private func repeatsLastIncrement(_ object: ManagedObject, _ slot: Int) -> Bool {
    guard changes.increments.count > changes.markedIncrements, let increment = changes.increments.last,
      let overwrite = changes.overwrites.last, let update = changes.updates.last
    else { return false }
    let pointer = Unmanaged.passUnretained(object).toOpaque()
    return increment.object.toOpaque() == pointer && Int(increment.slot) == slot
      && overwrite.object.toOpaque() == pointer
      && Int(overwrite.slot) == slot && update.object === object && !update.isWritten
  }
}
