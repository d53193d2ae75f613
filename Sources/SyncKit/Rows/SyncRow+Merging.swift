/// Merging what the server has into a row that is not in flight.
extension SyncRow {
  /// Takes on values of the server.
  ///
  /// - Returns: The values that were given up.
  mutating func merge(_ theirs: Fields, _ policy: ConflictPolicy) -> [ConflictReport] {
    (isOwed, isMissed) = (false, false)
    if hold == .outdated { hold = nil }
    var reports: [ConflictReport] = []
    defer { normalize() }
    guard var mine = now else { return mergeIntoDeleted(theirs, policy) }
    let old = baseFields
    var new = old ?? mine
    for index in theirs.names {
      guard let value = theirs[index], let own = mine[index] else { continue }
      new[index] = value
      // Without a base, each difference may be a change here or there.
      let isChangedThere = old.map { $0[index] != value } ?? true
      let isChangedHere = old.map { $0[index] != own } ?? true
      if isChangedThere { liftRejection() }
      if own == value || !isChangedThere { continue }
      if !isChangedHere {
        mine[index] = value
        continue
      }
      let (merged, isConflict) = own.merged(with: value, since: old?[index], policy.attribute)
      mine[index] = merged
      if isConflict {
        reports.append(
          ConflictReport(
            row: id, key: key, kind: .attribute(index, base: old?[index], mine: own, theirs: value),
            choice: policy.attribute))
      }
    }
    // What an unknown row does not say is as it is here.
    now = mine
    base = .known(new)
    return reports
  }

  /// The server may accept now what it rejected before.
  private mutating func liftRejection() { if case .rejected = hold { hold = nil } }

  private mutating func mergeIntoDeleted(_ theirs: Fields, _ policy: ConflictPolicy) -> [ConflictReport] {
    guard let old = baseFields else {
      // A creation that was deleted here before its answer arrived.
      base = .known(theirs)
      return []
    }
    base = .known(old.taking(theirs))
    if old.agrees(with: theirs) { return [] }
    liftRejection()
    let report = ConflictReport(row: id, key: key, kind: .deletedHere(theirs), choice: policy.deletedHere)
    if policy.deletedHere == .theirs { now = old.taking(theirs) }
    return [report]
  }

  /// The server does not have the row any more.
  ///
  /// - Returns: The values that were given up.
  mutating func mergeDeletion(_ policy: ConflictPolicy) -> [ConflictReport] {
    isOwed = false
    if hold == .outdated { hold = nil }
    version = nil
    normalize()
    defer { normalize() }
    guard let mine = now, isChanged else {
      (now, base) = (nil, .none)
      return []
    }
    // It may have been here before it was synchronized, and the server never had it.
    // And a row that was refused because another one had its key can be created now.
    if base == .unknown || base == .none {
      base = .none
      return []
    }
    let report = ConflictReport(row: id, key: key, kind: .deletedThere(mine), choice: policy.deletedThere)
    base = .none
    if policy.deletedThere == .theirs { now = nil } else { key = nil }
    return [report]
  }

  /// A change that was sent took effect.
  mutating func settle(_ change: Sent) {
    (sent, isMissed) = (nil, false)
    defer { normalize() }
    switch change.kind {
    case .creation: base = .known(change.fields)
    case .update:
      guard let old = baseFields else { return }
      base = .known(old.taking(change.fields))
    case .deletion:
      base = .none
      version = nil
      isOwed = false
      // A row that was restored in the meantime is a new one. Keys never return.
      key = nil
    }
  }

  /// The values that were sent are among the server's: the change took effect before.
  mutating func settle(_ change: Sent, seenIn theirs: Fields) {
    sent = nil
    switch change.kind {
    case .creation:
      // Where the server has another value, it may have been changed since, or the row is not the one that was sent.
      var known = change.fields
      for index in theirs.names where theirs[index] != known[index] { known[index] = nil }
      base = .known(known)
    case .update:
      guard var old = baseFields else { return }
      for index in change.fields.names where theirs[index] == change.fields[index] { old[index] = theirs[index] }
      base = .known(old)
    case .deletion: break
    }
  }
}
