/// Determines the value of each attribute of an object that was changed both here and elsewhere.
struct ThreeWayMerge {
  struct Slot {
    let base: StoredValue
    let mine: StoredValue
    let theirs: StoredValue
    /// Whether the attribute was changed here.
    let isDirty: Bool
    /// The amount added here, if the attribute was changed in no other way.
    var increment: StoredValue?
  }

  /// The slots whose local value must be replaced, with the new value.
  private(set) var assigned: [(slot: Int, value: StoredValue)] = []
  /// The conflicts that the policy wants to be reported.
  private(set) var conflicts: [AttributeConflict] = []

  /// - Parameters:
  ///   - decidesAboutEqualValues: Whether equal new values count as a conflict too.
  ///   - choose: Returns the policy's choice for an attribute that both sides have changed.
  init(
    _ slots: [Slot], decidesAboutEqualValues: Bool, conflict: (Int, Slot) -> AttributeConflict,
    choose: (AttributeConflict) -> MergePolicy.Choice
  ) {
    for (index, slot) in slots.enumerated() {
      if slot.theirs.isSame(as: slot.base) { continue }
      guard slot.isDirty, !slot.mine.isSame(as: slot.base) else {
        // The attribute was not changed here, or was changed back.
        assigned.append((index, slot.theirs))
        continue
      }
      if let sum = slot.increment.flatMap({ slot.theirs.adding($0) }) {
        assigned.append((index, sum))
        continue
      }
      if slot.mine.isSame(as: slot.theirs), !decidesAboutEqualValues { continue }
      let found = conflict(index, slot)
      switch choose(found) {
      case .report: conflicts.append(found)
      case .mine: break
      case .theirs: assigned.append((index, slot.theirs))
      case .value(let value): assigned.append((index, value))
      }
    }
  }
}
