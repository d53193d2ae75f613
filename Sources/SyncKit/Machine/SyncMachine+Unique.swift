/// Rows of the server with a value that must be unique here, and that another row has: a rival.
extension SyncMachine {
  /// Applies rows that have no rival.
  ///
  /// - Returns: The others.
  mutating func applyFree(
    _ rows: [RemoteRow], since began: Int, _ store: inout some SyncStore
  ) throws -> [RemoteRow] {
    var rest = rows
    while true {
      var others: [RemoteRow] = []
      for row in rest {
        if try rivals(of: row, since: began, store).isEmpty {
          try apply(row, since: began, &store)
        } else {
          others.append(row)
        }
      }
      // Each row that was applied may have been the rival of others.
      if others.isEmpty || others.count == rest.count { return others }
      rest = others
    }
  }

  /// Applies rows that had rivals before others were removed. Those that take each other's values are applied together.
  /// What is left is read again, or held back.
  mutating func applyLate(
    _ rows: [RemoteRow], since began: Int, _ store: inout some SyncStore
  ) throws {
    if rows.isEmpty { return }
    let late = try applyFree(rows, since: began, &store)
    var circle: [RemoteRow] = []
    var next = late
    while next.count != circle.count {
      circle = next
      let new = Dictionary(try circle.map { ($0.name, try values(after: $0, since: began, store)?.fields) }) { $1 }
      next = try circle.filter { row in
        try rivals(of: row, since: began, store).allSatisfy { attribute, rival in
          guard let key = rival.key, let after = new[RemoteName(rival.id.entity, key)] else { return false }
          return after?[attribute] != rival.now?[attribute]
        }
      }
    }
    for row in late where !circle.contains(row) { try holdBack(row, &store) }
    // New ones last: they let SQL see the others.
    for isNew in [false, true] {
      for row in circle where try (store.find(row.name.key, in: row.name.entity) == nil) == isNew {
        try apply(row, since: began, &store)
      }
    }
  }

  private func holdBack(_ remote: RemoteRow, _ store: inout some SyncStore) throws {
    guard let id = try store.find(remote.name.key, in: remote.name.entity), var row = try store.row(id) else {
      return try arrive(remote, &store)
    }
    (row.isOwed, row.isMissed) = (true, false)
    try put(row, &store)
  }

  /// Whether another row has a unique value of a row that is here.
  func hasRival(_ remote: RemoteRow, _ id: RowID, _ store: some SyncStore) throws -> Bool {
    for (index, attribute) in model.classes[id.entity].attributes.enumerated() where attribute.isUnique {
      guard let value = remote.fields[index], value != .null else { continue }
      if let holder = try store.holder(of: value, index, in: id.entity), holder != id { return true }
    }
    return false
  }

  /// The unique attributes whose values other rows have, and these rows.
  func rivals(
    of remote: RemoteRow, since began: Int = .max, _ store: some SyncStore
  ) throws -> [(attribute: Int, row: SyncRow)] {
    let entity = remote.name.entity
    guard model.classes[entity].isUnique, let (id, fields) = try values(after: remote, since: began, store) else {
      return []
    }
    return try model.classes[entity].attributes.indices.compactMap { index in
      guard model.classes[entity].attributes[index].isUnique, let value = fields[index], value != .null,
        let holder = try store.holder(of: value, index, in: entity), holder != id, let row = try store.row(holder),
        id != nil || !isSame(row, fields)
      else { return nil }
      return (index, row)
    }
  }

  /// The values that a row has after it is applied, and its number if it is here. Nil if it is not changed.
  private func values(
    after remote: RemoteRow, since began: Int, _ store: some SyncStore
  ) throws -> (id: RowID?, fields: Fields)? {
    let fields = try resolved(remote.fields, of: remote.name.entity, store)
    guard let id = try store.find(remote.name.key, in: remote.name.entity), var row = try store.row(id) else {
      return (nil, fields)
    }
    if isOlder(remote, than: row) || isUndecided(remote, row, since: began) { return nil }
    _ = row.merge(fields, policy)
    return row.now.map { (id, $0) }
  }

  /// Inserts a row, or finds that it was inserted here.
  mutating func admit(_ remote: RemoteRow, _ store: inout some SyncStore) throws {
    let entity = remote.name.entity
    let fields = try resolved(remote.fields, of: entity, store)
    guard let unifying = model.classes[entity].unifying, let value = fields[unifying], value != .null,
      let holder = try store.holder(of: value, unifying, in: entity), var row = try store.row(holder),
      isSame(row, fields)
    else {
      try insert([remote], in: entity, &store)
      return
    }
    (row.key, row.base, row.hold) = (remote.name.key, .unknown, nil)
    let reports = row.merge(fields, policy)
    // What the server's row does not name was never there.
    let attributes = model.classes[entity].attributes
    row.base = .known(Fields(ContiguousArray(attributes.indices.map { fields[$0] ?? attributes[$0].empty })))
    row.version = remote.version
    try put(row, &store)
    try connect(row.id, remote.name, &store)
    for report in reports { try store.report(report) }
  }

  /// Whether a row that the server does not have is one of the server.
  private func isSame(_ row: SyncRow, _ fields: Fields) -> Bool {
    guard let unifying = model.classes[row.id.entity].unifying, row.base == .none, row.sent == nil else { return false }
    if case .unconfirmed = row.hold { return false }
    return row.now?[unifying] == fields[unifying]
  }
}
