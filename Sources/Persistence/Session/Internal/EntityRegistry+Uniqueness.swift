internal import Foundation

/// Writing values that must be unique but temporarily are not, such as two that are swapped.
///
/// SQLite checks uniqueness row by row. Values in the way are therefore replaced with placeholders, which no other
/// object can have, until all objects have their new values. A placeholder can also make the condition of another index
/// true, and with it values that were not in an index. These are replaced in the same statement.
///
///     memory          a = 2, b = 1
///     store           a = 1, b = 2
///
///     a = 2           refused, because b has it in the store
///     a = ◇, b = ◇    first pass: every unique value that is about to be written is freed,
///     a = 2, b = 1    and then each row is written
///
/// If the other object is not among these rows, because it may only change later in the closure:
///
///     a = ◇           unsettled, until the value may be free
///     a = 2           second pass, at the latest before the commit, which fails if the value is still taken
extension EntityRegistry {
  /// Writes an update with a unique value that another object has, and may be about to change.
  func writeContested(
    _ index: Int, _ cause: PersistenceError, _ hasFreed: inout Bool, isLast: Bool
  ) throws(PersistenceError) {
    var cause = cause
    if !hasFreed {
      hasFreed = true
      restoreUniqueValues(from: index)
      try freeUniqueValues(from: index)
      do {
        return try write(changes.updates[index])
      } catch {
        guard case .notUnique = error, !isLast else { throw error }
        cause = error
      }
    } else if isLast {
      throw cause
    }
    let update = changes.updates[index]
    var contested = SlotSet()
    while let slot = contestedSlot(cause, among: update.mask.union(update.restored).subtracting(contested)) {
      contested.insert(slot)
      do {
        try write(update, placeholdersFor: contested)
        changes.unsettled.append(
          .init(
            object: update.object, mask: contested.intersection(update.mask),
            restored: contested.subtracting(update.mask), isValidated: true))
        return
      } catch {
        guard case .notUnique = error else { throw error }
        cause = error
      }
    }
    throw cause
  }

  /// Inserts an object with a unique value that another object has, and may be about to change.
  func insertContested(
    _ object: ManagedObject, by single: Statement, _ cause: PersistenceError
  ) throws(PersistenceError) {
    var (cause, contested): (PersistenceError, SlotSet) = (cause, SlotSet())
    while let slot = contestedSlot(cause, among: SlotSet.everything.subtracting(contested)) {
      contested.insert(slot)
      arena.pointee.reset()
      var index: Int32 = 1
      try bindRow(of: object, to: single, from: &index)
      try bindPlaceholders(contested, among: .everything, of: object, to: single, from: 2)
      do {
        try single.run()
        return changes.unsettled.append(.init(object: object, mask: contested, isValidated: true))
      } catch {
        cause = named(error, object)
      }
    }
    throw cause
  }

  /// Queues updates that were written with placeholders, to be written with their real values if some of these may be
  /// free by now.
  func writeUnsettledAgain(isLast: Bool) {
    let mayBeFree =
      changes.writtenDeletes < changes.deleted.count
      || changes.updates[changes.writtenUpdates...].contains {
        !$0.mask.isDisjoint(with: entity.uniquenessSlots)
      }
    guard isLast || mayBeFree else { return }
    changes.updates.append(contentsOf: changes.unsettled)
    changes.unsettled.removeAll()
  }

  /// Returns the objects for which the store has a placeholder in place of an attribute's value, by their ids.
  func unsettled(_ slot: Int) -> [Int64: ManagedObject] {
    var objects: [Int64: ManagedObject] = [:]
    for update in changes.unsettled where update.mask.union(update.restored).contains(slot) {
      objects[update.object._id] = update.object
    }
    return objects
  }

  /// Throws if a value of these attributes is not yet in the table: SQLite can only compare or add up the values of an
  /// attribute if it has all of them.
  func requireSettled(_ slots: SlotSet) throws(PersistenceError) {
    if changes.unsettled.isEmpty { return }
    for (slot, column) in entity.columns.enumerated() where slots.contains(slot) {
      guard let id = unsettled(slot).keys.min() else { continue }
      throw .notUnique(UniquenessViolation(type: entity.name, attributes: [column.property], id: id))
    }
  }

  /// Replaces the values in the statement with placeholders.
  ///
  /// - Parameters:
  ///   - mask: The slots that the statement writes.
  ///   - first: The parameter of the first of them.
  func bindPlaceholders(
    _ contested: SlotSet, among mask: SlotSet, of object: ManagedObject, to statement: Statement, from first: Int32
  ) throws(PersistenceError) {
    for (offset, slot) in mask.enumerated() where contested.contains(slot) {
      try statement.bind([.blob(Data("\u{1}free:\(object._id)".utf8))], from: first + Int32(offset))
    }
  }

  /// Adds to each update the unchanged values that may have to be unique because of a value that it changes or replaces
  /// with a placeholder.
  private func restoreUniqueValues(from first: Int) {
    for index in first..<changes.updates.count {
      var slots = changes.updates[index].mask.union(changes.updates[index].restored)
      var before = SlotSet()
      while before != slots {
        before = slots
        for unique in entity.indexes where unique.isUnique {
          guard let tested = unique.condition?.slots, !tested.isDisjoint(with: slots) else { continue }
          for slot in unique.slots { slots.insert(slot) }
        }
      }
      changes.updates[index].restored = slots.subtracting(changes.updates[index].mask)
    }
  }

  /// Replaces each unique value that is about to be written with a placeholder.
  private func freeUniqueValues(from first: Int) throws(PersistenceError) {
    for update in changes.updates[first...] {
      let slots = update.mask.union(update.restored).intersection(entity.uniqueSlots)
      if slots.isEmpty { continue }
      let statement = try space.connection.statement(statements.free(slots, entity))
      _ = statement.bind(update.object._id, at: 1)
      // A row that another context has changed does not match: it is merged first.
      _ = statement.bind(Int64(update.object._version), at: 2)
      do { try statement.run() } catch { throw named(error, update.object) }
    }
  }

  /// Returns the attribute to replace with a placeholder so that the index accepts the row. The other attributes keep
  /// their values. A relationship cannot have a placeholder.
  private func contestedSlot(_ cause: PersistenceError, among mask: SlotSet) -> Int? {
    guard case .notUnique(let violation) = cause else { return nil }
    let slots = violation.attributes.lazy.compactMap(entity.column)
    return slots.first { mask.contains($0) && entity.references[$0] == nil }
  }
}
