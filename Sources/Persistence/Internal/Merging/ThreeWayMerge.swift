/// What becomes of each attribute of an object that was changed here and elsewhere.
struct ThreeWayMerge {
  struct Slot {
    let base: StoredValue
    let mine: StoredValue
    let theirs: StoredValue
    /// Whether it was changed here.
    let isDirty: Bool
    /// What was added to it here, if it was changed by nothing else.
    var increment: StoredValue?
  }

  /// Slots that take another value than the one that is here, with that value.
  private(set) var assigned: [(slot: Int, value: StoredValue)] = []
  /// Slots for which the policy wants the conflict to be reported.
  private(set) var conflicts: [AttributeConflict] = []

  /// - Parameters:
  ///   - decidesAboutEqualValues: whether equal new values are a conflict too.
  ///   - choose: what the policy says about an attribute that both have changed.
  init(
    _ slots: [Slot], decidesAboutEqualValues: Bool, conflict: (Int, Slot) -> AttributeConflict,
    choose: (AttributeConflict) -> MergePolicy.Choice
  ) {
    for (index, slot) in slots.enumerated() {
      if slot.theirs.isSame(as: slot.base) { continue }
      guard slot.isDirty, !slot.mine.isSame(as: slot.base) else {
        // Nobody here has touched it, or has put it back.
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
