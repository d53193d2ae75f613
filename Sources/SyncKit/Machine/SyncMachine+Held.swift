/// What the app decides about rows that are not sent.
extension SyncMachine {
  mutating func retry(_ id: RowID, _ store: inout some SyncStore) throws {
    guard var row = try store.row(id), case .rejected = row.hold else { return }
    row.hold = nil
    try put(row, &store)
  }

  /// The row becomes what the server has. One that the server does not have is removed.
  mutating func discard(_ id: RowID, _ store: inout some SyncStore) throws {
    guard var row = try store.row(id), row.hold != nil, row.sent == nil, row.isChanged else { return }
    if let base = row.baseFields {
      (row.now, row.base) = (base, .same)
    } else {
      for (other, attribute) in try store.referrers(of: id) where other != id {
        guard var child = try store.row(other), let value = child.now?[attribute],
          value.references.contains(.object(id.id))
        else { continue }
        let old = value.isList ? .null : child.baseFields?[attribute] ?? .null
        child.now?[attribute] = value.replacing(.object(id.id), by: old)
        try put(child, &store)
      }
      (row.now, row.base) = (nil, .none)
    }
    row.hold = nil
    try store.untie(id, upTo: .max)
    try put(row, &store)
  }

  mutating func confirm(_ id: RowID, _ remote: RemoteRow?, _ store: inout some SyncStore) throws {
    guard var row = try store.row(id), case .unconfirmed(var sent) = row.hold else { return }
    row.hold = nil
    // What it refers to may have been deleted since.
    sent.fields = try model.mappingReferences(in: sent.fields, of: id.entity) { target, reference in
      guard case .object(let number) = reference else { return reference }
      let other = try store.row(RowID(target, number))
      return other?.now != nil ? reference : other?.key.map { .key($0) } ?? .null
    }
    guard let remote else { return try put(row, &store) }
    if let known = try store.find(remote.name.key, in: id.entity), known != id {
      // A page has brought it in the meantime. What of it is in flight is settled first.
      if try store.row(known)?.sent != nil { return }
      try unify(&row, with: known, sent, &store)
    }
    row.sent = sent
    try put(row, &store)
    try record(
      .accepted(key: remote.name.key, version: remote.version, remote), of: id, in: sent.push, &store)
  }

  /// A row and one that arrived are the same. The first one stays, and takes on what was changed in the other.
  private mutating func unify(
    _ row: inout SyncRow, with known: RowID, _ sent: SyncRow.Sent, _ store: inout some SyncStore
  ) throws {
    guard var other = try store.row(known) else { return }
    let edits = other.now.flatMap { now in other.baseFields.map { now.changes(from: $0) } }
    switch (row.now, edits) {
    case (var mine?, let edits?):
      for attribute in edits.names {
        guard let own = mine[attribute], let value = edits[attribute] else { continue }
        let (merged, isConflict) = own.merged(with: value, since: sent.fields[attribute], .mine)
        mine[attribute] = own == sent.fields[attribute] ? value : merged
        if own != sent.fields[attribute], isConflict {
          try store.report(
            ConflictReport(
              row: row.id, key: other.key,
              kind: .attribute(attribute, base: sent.fields[attribute], mine: value, theirs: own), choice: .theirs))
        }
      }
      row.now = mine
    // What was deleted under one number and changed under the other stays.
    case (nil, let edits?) where !edits.isEmpty: row.now = sent.fields.taking(edits)
    case (let mine?, nil) where mine == sent.fields: row.now = nil
    default: break
    }
    // It was deleted under the other number, where nothing refers to it any more.
    if row.now == nil { try disconnect(row.id, other.key, &store) }
    // Before the other one is gone.
    let reference = row.now == nil ? other.key.map { .key($0) } ?? .null : SyncValue.object(row.id.id)
    for (referrer, attribute) in try store.referrers(of: known) where referrer != known {
      try replace(.object(known.id), by: reference, attribute, of: referrer, &store)
    }
    for (attribute, parent) in model.references(in: row.now ?? sent.fields, of: known.entity) where parent == known {
      row.now?.replace(.object(known.id), by: reference, in: attribute)
    }
    try CommandQueues.replace(known, by: row.id, &store)
    (other.now, other.base, other.sent, other.hold, other.isOwed) = (nil, .none, nil, nil, false)
    try put(other, &store)
  }
}
