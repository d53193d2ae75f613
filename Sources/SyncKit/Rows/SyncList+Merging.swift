extension SyncValue {
  /// Unites what was changed here with what was changed there.
  ///
  /// - Parameters:
  ///   - base: The value before both changes.
  ///   - choice: The side that decides a conflict.
  /// - Returns: The value, and whether the other side's is given up.
  func merged(
    with theirs: SyncValue, since base: SyncValue?, _ choice: ConflictPolicy.Choice
  ) -> (value: SyncValue, isConflict: Bool) {
    guard case .list(let mine) = self, case .list(let theirs) = theirs, case .list(let base)? = base else {
      return (choice == .mine ? self : theirs, self != theirs)
    }
    let (list, isConflict) = mine.merged(with: theirs, since: base, choice)
    return (.list(list), isConflict)
  }
}

extension SyncList {
  /// What was added here or there is a member, and what was removed here or there is none. If both have arranged the
  /// others in different orders, one of them decides.
  fileprivate func merged(
    with theirs: SyncList, since base: SyncList, _ choice: ConflictPolicy.Choice
  ) -> (SyncList, isConflict: Bool) {
    let (mine, other, old) = (Set(members), Set(theirs.members), Set(base.members))
    let all = mine.union(other).filter { old.contains($0) ? mine.contains($0) && other.contains($0) : true }
    guard isOrdered else { return (SyncList(all, isOrdered: false), false) }
    let common = all.intersection(old)
    let orders = [self, theirs, base].map { $0.members.filter(common.contains) }
    let isArrangedHere = orders[0] != orders[2]
    let isConflict = isArrangedHere && orders[1] != orders[2] && orders[0] != orders[1]
    let isMine = isArrangedHere && (isConflict ? choice == .mine : orders[1] == orders[2])
    let (first, second) = isMine ? (self, theirs) : (theirs, self)
    var result = first.members.filter(all.contains)
    var placed = Set(result)
    // The members of the other one follow those that they follow there.
    var position = 0
    for member in second.members where all.contains(member) {
      if placed.insert(member).inserted {
        result.insert(member, at: position)
        position += 1
      } else {
        position = (result.firstIndex(of: member) ?? -1) + 1
      }
    }
    return (SyncList(result, isOrdered: true), isConflict)
  }
}
