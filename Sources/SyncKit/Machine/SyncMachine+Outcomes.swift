/// What the answers to pushes mean.
extension SyncMachine {
  mutating func record(
    _ outcomes: [RowID: Outcome], in push: Int64, at now: Int64, _ store: inout some SyncStore
  ) throws {
    for id in try inOrder(outcomes.keys, store) {
      if let outcome = outcomes[id] { try record(outcome, of: id, in: push, &store) }
    }
    for case .failed(.later(let given)) in outcomes.values { pace.delay(push, at: now, by: given) }
    guard capabilities.batch.isAtomic, !outcomes.isEmpty, !outcomes.values.contains(where: \.mayHaveTakenEffect) else {
      return
    }
    // None of the batch took effect. The others wait for those that were refused.
    for var row in try rows(of: push, store) {
      row.sent = nil
      try put(row, &store)
      try insertArrived(in: row.id.entity, &store)
    }
  }

  /// Rows in the order in which they were sent, so that the keys of those that others refer to are known first.
  private func inOrder(_ ids: some Sequence<RowID>, _ store: some SyncStore) throws -> [RowID] {
    try ids.map { (index: try store.row($0)?.sent?.index ?? 0, id: $0) }.sorted { $0 < $1 }.map(\.id)
  }

  /// The rows of a push without an outcome.
  private func rows(of push: Int64, _ store: some SyncStore) throws -> [SyncRow] {
    try store.inFlight().compactMap { try store.row($0) }.filter { $0.sent?.push == push }
  }

  mutating func record(
    _ outcome: Outcome, of id: RowID, in push: Int64, _ store: inout some SyncStore
  ) throws {
    guard var row = try store.row(id), let sent = row.sent, sent.push == push else { return }
    switch outcome {
    case .accepted(let key, let version, let remote):
      // Without a key, the row cannot be found again.
      let known = row.key ?? key ?? remote?.name.key
      guard let known else { return }
      if row.key == nil, let other = try store.find(known, in: id.entity), other != id {
        try refuseKey(&row, &store)
      } else {
        // Values that another row has are as none: the row is read again, when that has changed.
        let isTaken = try remote.map { try hasRival($0, id, store) } ?? false
        try accept(&row, sent, key: known, version ?? remote?.version, isTaken ? nil : remote, &store)
      }
      pace.succeed(push)
    case .conflict(nil) where row.key == nil:
      try record(.rejected("the server has the object already, and has not said which"), of: id, in: push, &store)
    case .conflict(let remote):
      try refuse(&row, sent, remote, &store)
      pace.succeed(push)
    case .rejected(let reason):
      row.sent = nil
      row.removeAbsentMembers()
      row.hold = .rejected(reason: reason, row.now)
      // What was sent was rejected, and that is not what the row is now.
      if sent.kind != .deletion, try !isWhatWasSent(row, sent, store) { row.hold = nil }
      // An earlier attempt may have been accepted, or the server does not have what it said to be a member.
      if sent.attempts > 1 || sent.fields.hasAbsentMembers, row.isThere { row.isOwed = true }
      noteAnswer(about: row)
      try owe(row, &store)
      pace.succeed(push)
    case .missing where sent.kind == .deletion:
      try accept(&row, sent, key: nil, nil, nil, &store)
      pace.succeed(push)
    case .missing where sent.kind == .update:
      row.sent = nil
      noteAnswer(about: row)
      try removeRow(row, &store)
      pace.succeed(push)
    case .missing: try record(.rejected("the server does not have what the row belongs to"), of: id, in: push, &store)
    case .gone:
      noteAnswer(about: row)
      try store.eraseReports(of: id)
      try CommandQueues.erase(id, &store)
      if row.isChanged { try store.report(ConflictReport(row: id, key: row.key, kind: .erased, choice: .theirs)) }
      try disconnect(id, row.key, isGone: true, &store)
      (row.sent, row.hold, row.now, row.base, row.isOwed) = (nil, nil, nil, .none, false)
      try put(row, &store)
      pace.succeed(push)
    case .failed(.later), .failed(.unauthorized):
      if case .failed(.unauthorized) = outcome { isPaused = true }
      // An earlier attempt may have taken effect.
      if sent.attempts > 1 { return }
      row.sent = nil
      try put(row, &store)
    case .failed(.unknown): return
    }
    try insertArrived(in: id.entity, &store)
  }

  /// Whether a row is what was sent of it, but for references to rows that are not there yet.
  private func isWhatWasSent(_ row: SyncRow, _ sent: SyncRow.Sent, _ store: some SyncStore) throws -> Bool {
    guard let now = try withoutDeleted(row, store).now else { return false }
    let differences = sent.fields.names.filter { now[$0] != sent.fields[$0] }
    let parents = try model.references(in: now, of: row.id.entity).filter { try store.row($0.row)?.isThere == false }
    return differences.allSatisfy { index in
      let absent = parents.filter { $0.attribute == index }
      if let list = now[index], list.isList {
        // In an atomic batch, some of them may have been sent before the row.
        let left = absent.map { SyncValue.object($0.row.id) }.filter {
          sent.fields[index]?.references.contains($0) != true
        }
        return sent.fields[index] == list.mappingReferences { left.contains($0) ? .null : $0 }
      }
      return !absent.isEmpty && sent.fields[index] == row.baseFields?[index] ?? .null
    }
  }

  private mutating func accept(
    _ row: inout SyncRow, _ sent: SyncRow.Sent, key: SyncKey?, _ version: SyncRow.Version?, _ remote: RemoteRow?,
    _ store: inout some SyncStore
  ) throws {
    if row.key == nil {
      row.key = key
      // The server may have changed or deleted it since, and a page that said so was not understood.
      if sent.attempts > 1 || overlapped.contains(sent.push) { row.isOwed = true }
    }
    noteAnswer(about: row)
    let name = row.key.map { RemoteName(row.id.entity, $0) }
    var effect = sent
    if let remote, sent.attempts == 1 {
      // What the server made of the values that were sent is no change of someone else.
      let theirs = try resolved(remote.fields, of: row.id.entity, store)
      for index in sent.fields.names {
        guard let value = theirs[index] else { continue }
        effect.fields[index] = value
        let now = row.now?[index]
        row.now?[index] =
          now == sent.fields[index] ? value : now?.merged(with: value, since: sent.fields[index], .mine).value
      }
    }
    row.settle(effect)
    try store.untie(row.id, upTo: sent.commit)
    if sent.kind == .deletion {
      if let name { try disconnect(row.id, name.key, isGone: true, &store) }
      return try put(row, &store)
    }
    row.version = version
    var reports: [ConflictReport] = []
    if let remote {
      // What was read while it was in flight may be newer.
      let isOwed = row.isOwed
      reports = row.merge(try resolved(remote.fields, of: row.id.entity, store), policy)
      row.isOwed = isOwed
    } else {
      row.isOwed = true
    }
    if sent.kind == .creation, let name { _ = try takeArrived(name, &store) }
    try owe(row, &store)
    if sent.kind == .creation, let name { try connect(row.id, name, &store) }
    for report in reports { try store.report(report) }
  }

  /// The server has other values than those that a change is based on.
  private mutating func refuse(
    _ row: inout SyncRow, _ sent: SyncRow.Sent, _ remote: RemoteRow?, _ store: inout some SyncStore
  ) throws {
    noteAnswer(about: row)
    if row.key == nil, let remote {
      guard try store.find(remote.name.key, in: row.id.entity) == nil else { return try refuseKey(&row, &store) }
      row.key = remote.name.key
      _ = try takeArrived(remote.name, &store)
    }
    guard let remote, try !hasRival(remote, row.id, store) else {
      row.sent = nil
      row.hold = .outdated
      row.isOwed = true
      return try owe(row, &store)
    }
    let theirs = try resolved(remote.fields, of: row.id.entity, store)
    row.settle(sent, seenIn: theirs)
    let isOwed = row.isOwed
    let reports = row.merge(theirs, policy)
    row.isOwed = isOwed
    row.version = remote.version
    try owe(row, &store)
    for report in reports { try store.report(report) }
  }

  /// The server says that a new row is another one, which is here already.
  private mutating func refuseKey(_ row: inout SyncRow, _ store: inout some SyncStore) throws {
    row.sent = nil
    row.hold = .rejected(reason: "the server has the row under the key of another one", row.now)
    rest = []
    try put(row, &store)
  }

  /// The server was asked for rows whose creation has no answer.
  mutating func found(
    _ rows: [RowID: RemoteRow], for sought: [RowID], in push: Int64, _ store: inout some SyncStore
  ) throws {
    guard pushes.remove(push) != nil else { return }
    pace.succeed(push)
    for id in try inOrder(sought, store) {
      guard var row = try store.row(id), row.sent?.push == push else { continue }
      if let remote = rows[id] {
        try record(.accepted(key: remote.name.key, version: remote.version, remote), of: id, in: push, &store)
      } else {
        // It did not take effect, so it is sent as something new.
        row.sent = nil
        try put(row, &store)
        try insertArrived(in: id.entity, &store)
      }
    }
    guard capabilities.batch.isAtomic else { return }
    // The rest of the batch took effect with what was found, or did not.
    for var row in try self.rows(of: push, store) where !sought.contains(row.id) {
      if !rows.isEmpty {
        try record(.accepted(key: row.key, version: nil, nil), of: row.id, in: push, &store)
      } else {
        row.sent = nil
        try put(row, &store)
      }
    }
  }

  mutating func ended(
    _ push: Int64, _ failure: RemoteFailure?, at now: Int64, _ store: inout some SyncStore
  ) throws {
    guard pushes.remove(push) != nil else { return }
    if case .unauthorized = failure { isPaused = true }
    let left = try rows(of: push, store)
    // Of several requests, one has failed so. What became of the others is not known.
    if failure?.hasNoEffect == true, capabilities.batch.isAtomic || left.count == 1 { try unsend(left, &store) }
    var delay: Int64?
    switch failure {
    case .unauthorized: return pace.forget(push)
    case .later(let given): delay = given
    case .unknown, nil: if left.isEmpty { return pace.forget(push) }
    }
    pace.delay(push, at: now, by: delay)
  }

  /// A push was not begun.
  mutating func unsent(_ push: Int64, _ store: inout some SyncStore) throws {
    guard pushes.remove(push) != nil else { return }
    try unsend(rows(of: push, store), &store)
  }

  private mutating func unsend(_ rows: [SyncRow], _ store: inout some SyncStore) throws {
    // An earlier attempt may have taken effect.
    for var row in rows where row.sent?.attempts == 1 {
      row.sent = nil
      try put(row, &store)
      try insertArrived(in: row.id.entity, &store)
    }
  }
}

extension RemoteFailure {
  fileprivate var hasNoEffect: Bool { self != .unknown }
}

extension Outcome {
  fileprivate var mayHaveTakenEffect: Bool {
    switch self {
    case .accepted, .failed: true
    case .conflict, .rejected, .missing, .gone: false
    }
  }
}
