/// Sending what waits: which rows, in which order, and again when no answer arrived.
extension SyncMachine {
  mutating func startPushes(at now: Int64, _ store: inout some SyncStore) throws -> [SyncAction] {
    if isPaused || now < pace.nextPush || pushes.count >= capabilities.pushes { return [] }
    var actions: [SyncAction] = []
    var repeated: [Int64: [SyncRow]] = [:]
    var order: [Int64] = []
    for id in try store.inFlight() {
      guard let row = try store.row(id), let push = row.sent?.push, !pushes.contains(push) else { continue }
      if repeated[push] == nil { order.append(push) }
      repeated[push, default: []].append(row)
    }
    for push in order where pushes.count < capabilities.pushes && pace.allows(push, at: now) {
      if let action = try sendAgain(repeated[push] ?? [], as: push, &store) { actions.append(action) }
    }
    actions += try sendRest(&store)
    if pushes.count >= capabilities.pushes { return actions }
    var seen: Set<RowID> = []
    var batch: [SyncRow] = []
    var ids = try store.changed(after: nil)[...]
    while let id = ids.popFirst() {
      if ids.isEmpty { ids = try store.changed(after: id)[...] }
      guard pushes.count < capabilities.pushes else { break }
      guard let row = try store.row(id) else { continue }
      if try forgetIfUnchanged(row, &store) || seen.contains(id) { continue }
      if removed.contains(.rejectedOnlyDependants), case .rejected = row.hold { break }
      guard var group = try group(of: id, &seen, store) else { continue }
      func rest() -> [SyncRow] { group.filter { row in !batch.contains { $0.id == row.id } } }
      // What has outcomes of its own can be sent together with what is independent of it.
      if !batch.isEmpty, capabilities.batch.isAtomic || batch.count + rest().count > capabilities.batch.limit {
        if let action = try send(batch, &store) { actions.append(action) }
        batch = []
        // What it depends on may be in flight now.
        guard pushes.count < capabilities.pushes, let left = try self.group(of: id, &seen, store) else { continue }
        group = left
      }
      batch += rest()
    }
    if !batch.isEmpty, let action = try send(batch, &store) { actions.append(action) }
    return actions
  }

  /// Sends more of a group.
  private mutating func sendRest(_ store: inout some SyncStore) throws -> [SyncAction] {
    var actions: [SyncAction] = []
    // What a later commit ties to a row may be held.
    if !rest.isEmpty, try store.lastCommit() != restCommit { rest = [] }
    while !rest.isEmpty, pushes.count < capabilities.pushes {
      var batch: [SyncRow] = []
      for id in rest.prefix(capabilities.batch.limit) {
        let isReady = try store.row(id).map { row in
          batch.append(row)
          let parents = try unsentParents(of: row, store)
          return try row.now != nil && !forgetIfUnchanged(row, &store) && isSendable(row)
            && parents.allSatisfy { parent in batch.contains { $0.id == parent } }
        }
        if isReady != true { batch = [] }
        if batch.isEmpty { break }
      }
      let left = rest.dropFirst(batch.count)
      rest = []
      guard !batch.isEmpty, let action = try send(batch, &store) else { break }
      actions.append(action)
      rest += left
    }
    return actions
  }

  /// A change that was put back does not have to be sent.
  private func forgetIfUnchanged(_ row: SyncRow, _ store: inout some SyncStore) throws -> Bool {
    var normal = row
    normal.normalize()
    if normal != row || row.isGone { try put(normal, &store) }
    return try !withoutDeleted(normal, store).isChanged && normal.sent == nil
  }

  /// A row whose lists lack what is deleted here: the server removes that from its lists by itself.
  func withoutDeleted(_ row: SyncRow, _ store: some SyncStore) throws -> SyncRow {
    guard case .known(var base) = row.base, var now = row.now else { return row }
    for (index, attribute) in model.classes[row.id.entity].attributes.enumerated() {
      guard let target = attribute.target, attribute.kind != .single, base[index] != now[index] else { continue }
      func left(_ reference: SyncValue) throws -> SyncValue {
        guard case .key(let key) = reference, let id = try store.find(key, in: target), try store.row(id)?.now == nil
        else { return reference }
        return .null
      }
      base[index] = try base[index]?.mappingReferences(left)
      now[index] = try now[index]?.mappingReferences(left)
    }
    var row = row
    (row.base, row.now) = (.known(base), now)
    row.normalize()
    return row
  }

  /// Returns the changed rows that have to be sent with a row, or before it. Nil if one of them cannot be sent now.
  private func group(of id: RowID, _ seen: inout Set<RowID>, _ store: some SyncStore) throws -> [SyncRow]? {
    let (group, fellows) = try members(ofGroupWith: id, store)
    let isReady = !group.isEmpty && group.allSatisfy(isSendable)
    seen.formUnion(isReady ? Set(group.map(\.id)) : fellows)
    return isReady ? group : nil
  }

  /// The rows because of which a row is not sent, and about which the app may decide.
  func blocking(_ id: RowID, _ store: some SyncStore) throws -> [RowID] {
    try members(ofGroupWith: id, store).group.filter { row in
      switch row.hold {
      case .rejected, .unconfirmed: row.id != id
      case .outdated, nil: false
      }
    }.map(\.id).sorted()
  }

  private func members(
    ofGroupWith id: RowID, _ store: some SyncStore
  ) throws -> (group: [SyncRow], fellows: Set<RowID>) {
    var group: [SyncRow] = []
    var found: Set<RowID> = [id]
    var commits: Set<Int64> = []
    var rest = [(row: id, isTied: true)]
    // What is tied to a row has its fate. What it refers to can be sent without it.
    var fellows: Set<RowID> = []
    while let (next, isTied) = rest.popLast() {
      guard var row = try store.row(next) else { continue }
      // A change that was put back holds no other row.
      row.normalize()
      guard try withoutDeleted(row, store).isChanged || row.sent != nil else { continue }
      if isTied { fellows.insert(next) }
      group.append(row)
      // Each commit once: of a large one, all rows are tied to all.
      for commit in try store.ties(of: next) where !removed.contains(.groupClosure) && commits.insert(commit).inserted {
        for other in try store.tied(by: commit) where found.insert(other).inserted { rest.append((other, isTied)) }
      }
      for other in try unsentParents(of: row, store) where found.insert(other).inserted { rest.append((other, false)) }
    }
    return (group, fellows)
  }

  private func isSendable(_ row: SyncRow) -> Bool {
    if row.sent != nil && !removed.contains(.onePushPerRow) || row.hold != nil || row.base == .unknown { return false }
    // Its version is not known.
    return !(capabilities.comparesVersions && row.isOwed && row.isThere)
  }

  /// The rows that a row refers to and that the server does not have.
  private func unsentParents(of row: SyncRow, _ store: some SyncStore) throws -> [RowID] {
    guard let fields = row.now, !removed.contains(.parentsFirst) else { return [] }
    return try model.references(in: fields, of: row.id.entity).map(\.row).filter { id in
      try store.row(id).map { !$0.isThere } ?? false
    }
  }

  private mutating func send(_ group: [SyncRow], _ store: inout some SyncStore) throws -> SyncAction? {
    let limit = capabilities.batch.limit
    var batch: [SyncRow] = []
    var sent: Set<RowID> = []
    let commit = try store.lastCommit()
    let push = removed.contains(.numberBeforeSending) ? 1_000_000 + (pushes.max() ?? 0) : try store.nextPush()
    let order = try ordered(group, store)
    for var row in order where batch.count < limit {
      // Only an atomic batch may contain a row and one that refers to it.
      let isDependent = try unsentParents(of: row, store).contains { sent.contains($0) }
      if isDependent, !capabilities.batch.isAtomic { continue }
      guard let change = try change(of: row, with: sent, store) else { continue }
      row.sent = SyncRow.Sent(
        push: push, index: batch.count, kind: change.kind, fields: change.fields, commit: commit, attempts: 1)
      try makeKey(of: &row, &store)
      batch.append(row)
      sent.insert(row.id)
    }
    if batch.isEmpty { return nil }
    pushes.insert(push)
    if !capabilities.batch.isAtomic, rest.isEmpty {
      rest = order.filter { $0.now != nil && !sent.contains($0.id) }.map(\.id)
      restCommit = commit
    }
    for row in batch { try put(row, &store) }
    return .push(try request(batch, push, isRepeated: false, store))
  }

  /// Repeats a push whose outcome is unknown.
  ///
  /// - Returns: Nil if none of its rows can be repeated.
  private mutating func sendAgain(
    _ rows: [SyncRow], as push: Int64, _ store: inout some SyncStore
  ) throws -> SyncAction? {
    var repeated: [SyncRow] = []
    var sought: [SyncRow] = []
    // An atomic batch is repeated as a whole or not at all.
    let isHeld =
      capabilities.batch.isAtomic && !removed.contains(.unknownNotResent)
      && rows.contains { $0.sent?.kind == .creation && model.classes[$0.id.entity].settling == .none }
    for var row in rows.sorted(by: { $0.sent?.index ?? 0 < $1.sent?.index ?? 0 }) {
      guard var sent = row.sent else { continue }
      let settling = model.classes[row.id.entity].settling
      if removed.contains(.noGrowthInFlight), sent.kind != .deletion, let now = row.now { sent.fields = now }
      if sent.kind == .creation, settling == .none, !removed.contains(.unknownNotResent) {
        row.sent = nil
        row.hold = .unconfirmed(sent)
      } else if isHeld {
        row.sent = nil
        row.hold = sent.kind == .creation ? .unconfirmed(sent) : nil
      } else {
        sent.attempts += 1
        row.sent = sent
        repeated.append(row)
        if sent.kind == .creation, settling == .find { sought.append(row) }
      }
      try put(row, &store)
    }
    for entity in Set(rows.map(\.id.entity)).sorted() { try insertArrived(in: entity, &store) }
    if repeated.isEmpty { return nil }
    pushes.insert(push)
    let request = try request(sought.isEmpty ? repeated : sought, push, isRepeated: true, store)
    return sought.isEmpty ? .push(request) : .find(request)
  }

  /// What to send of a row, or nil if nothing can be sent before another row.
  ///
  /// - Parameter earlier: The rows before it in the same batch.
  private func change(
    of row: SyncRow, with earlier: Set<RowID>, _ store: some SyncStore
  ) throws -> (kind: SyncRow.Sent.Kind, fields: Fields)? {
    let row = try withoutDeleted(row, store)
    guard var fields = row.now else { return (.deletion, Fields(count: model.classes[row.id.entity].attributes.count)) }
    let kind: SyncRow.Sent.Kind = row.isThere ? .update : .creation
    if let base = row.baseFields, !capabilities.sendsWholeRows { fields = fields.changes(from: base) }
    for (attribute, parent) in model.references(in: fields, of: row.id.entity) where !earlier.contains(parent) {
      guard let other = try store.row(parent), !other.isThere, !removed.contains(.parentsFirst) else { continue }
      // New rows that refer to each other: the reference follows in an update.
      if let list = fields[attribute], list.isList {
        fields[attribute] = list.replacing(.object(parent.id), by: .null)
        continue
      }
      fields[attribute] = kind == .creation || capabilities.sendsWholeRows ? row.baseFields?[attribute] ?? .null : nil
    }
    if let base = row.baseFields, !capabilities.sendsWholeRows { fields = fields.changes(from: base) }
    if kind == .update, fields.isEmpty { return nil }
    return (kind, fields)
  }

  private func request(
    _ rows: [SyncRow], _ push: Int64, isRepeated: Bool, _ store: some SyncStore
  ) throws -> PushRequest {
    let changes = try rows.compactMap { row -> PushRequest.Change? in
      guard let sent = row.sent else { return nil }
      return PushRequest.Change(
        row: row.id, index: sent.index, key: row.key, kind: sent.kind,
        fields: try named(sent.fields, of: row.id.entity, store),
        base: try row.baseFields.map { try named($0, of: row.id.entity, store) }, version: row.version)
    }
    return PushRequest(push: push, isRepeated: isRepeated, changes: changes)
  }

  /// Values with references by keys, as far as the server has given them.
  private func named(_ fields: Fields, of entity: Int, _ store: some SyncStore) throws -> Fields {
    try model.mappingReferences(in: fields, of: entity) { target, reference in
      guard case .object(let id) = reference, let key = try store.row(RowID(target, id))?.key else { return reference }
      return .key(key)
    }
  }

  /// Creations with parents first, then updates, then deletions with children first.
  private func ordered(_ group: [SyncRow], _ store: some SyncStore) throws -> [SyncRow] {
    let rows = Dictionary(uniqueKeysWithValues: group.map { ($0.id, $0) })
    var order: [SyncRow] = []
    var visited: Set<RowID> = []
    func visit(_ id: RowID, _ isWanted: (SyncRow) -> Bool, _ parents: (SyncRow) -> Fields?) {
      guard let row = rows[id], isWanted(row), visited.insert(id).inserted else { return }
      if let fields = parents(row) {
        for reference in model.references(in: fields, of: id.entity) { visit(reference.row, isWanted, parents) }
      }
      order.append(row)
    }
    let sorted = group.map(\.id).sorted()
    for id in sorted { visit(id, { $0.now != nil && !$0.isThere }, \.now) }
    for id in sorted { visit(id, { $0.now != nil && $0.isThere }, { _ in nil }) }
    let count = order.count
    for id in sorted { visit(id, { $0.now == nil }, \.baseFields) }
    order[count...].reverse()
    return order
  }
}
