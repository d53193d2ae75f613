internal import Foundation

/// Increments of numeric attributes. A merge adds them to the other context's value if the attribute was changed in no
/// other way.
extension PendingChanges {
  /// Returns the total added to an attribute, or nil if it was also changed in another way.
  mutating func increment(of object: ManagedObject, _ slot: Int) -> StoredValue? {
    let own = ownIncrements(of: object, slot)
    guard let first = own.first, own.count == undoIndexes(of: object, slot).count else { return nil }
    return own.dropFirst().reduce(first.amount) { sum, increment in sum.flatMap { $0.adding(increment.amount) } }
  }

  /// Replaces the value that each increment started from, after a merge.
  mutating func rebaseIncrements(of object: ManagedObject, _ slot: Int, on base: StoredValue) {
    guard increment(of: object, slot) != nil else { return }
    var value = base
    for (index, increment) in zip(undoIndexes(of: object, slot), ownIncrements(of: object, slot)) {
      undo[index] = Undo(object: undo[index].object, slot: undo[index].slot, old: value)
      value = value.adding(increment.amount) ?? value
    }
  }

  private mutating func ownIncrements(of object: ManagedObject, _ slot: Int) -> [Increment] {
    if increments.isEmpty { return [] }
    let places = incrementIndex.places(of: object, in: increments) { $0.object.toOpaque() }
    return places.map { increments[$0] }.filter { Int($0.slot) == slot }
  }

  private mutating func undoIndexes(of object: ManagedObject, _ slot: Int) -> [Int] {
    undoPlaces(of: object).filter { Int(undo[$0].slot) == slot }
  }
}

extension EntityRegistry {
  /// Adds to a numeric attribute.
  func add(_ amount: StoredValue, to slot: Int, of object: ManagedObject) throws(PersistenceError) {
    let old = value(slot, of: object)
    guard let sum = old.adding(amount) else { throw overflow(slot, of: object) }
    if object._changed.contains(slot) {
      // The object was inserted or the attribute assigned before, so only the resulting value counts.
      guard assign(sum, to: slot, of: object) else { throw overflow(slot, of: object) }
      return
    }
    let isRepeated = repeatsLastIncrement(object, slot)
    if !isRepeated, !willChange(object, slot) { return }
    guard assign(sum, to: slot, of: object) else {
      if !isRepeated {
        changes.undo.removeLast()
        changes.undoIndex.reset()
        object._changed.remove(slot)
        if object._changed.isEmpty { changes.changed.removeLast() }
      }
      throw overflow(slot, of: object)
    }
    if isRepeated, let all = changes.increments[changes.increments.count - 1].amount.adding(amount) {
      changes.increments[changes.increments.count - 1].amount = all
    } else {
      if isRepeated { changes.undo.append(.init(object: .passUnretained(object), slot: Int32(slot), old: old)) }
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
      let undo = changes.undo.last, let update = changes.updates.last
    else { return false }
    let pointer = Unmanaged.passUnretained(object).toOpaque()
    return increment.object.toOpaque() == pointer && Int(increment.slot) == slot && undo.object.toOpaque() == pointer
      && Int(undo.slot) == slot && update.object === object && !update.isWritten
  }

  private func overflow(_ slot: Int, of object: ManagedObject) -> PersistenceError {
    .invalidValue(
      InvalidValue(
        type: entity.name, attribute: entity.columns[slot].property, id: object._id, reason: InvalidValue.overflow))
  }
}

extension StoredValue {
  /// Returns the sum of two numbers of the same kind, or nil if it has no stored form.
  func adding(_ other: StoredValue) -> StoredValue? {
    switch (self, other) {
    case (.integer(let left), .integer(let right)):
      let (sum, isTooLarge) = left.addingReportingOverflow(right)
      return isTooLarge ? nil : .integer(sum)
    case (.real(let left), .real(let right)):
      return (left + right).isNaN ? nil : .real(left + right)
    case (.text, .text):
      guard let left = Decimal(stored: self), let right = Decimal(stored: other) else { return nil }
      let sum = left + right
      return sum.isNaN ? nil : sum.stored
    default: return nil
    }
  }
}

extension InvalidValue {
  static let overflow = "the sum is outside the attribute's range"
}
