/// Rows of the server that may be those that are being created here, until that is settled.
extension SyncMachine {
  func arrive(_ remote: RemoteRow, _ store: inout some SyncStore) throws {
    let others = try store.arrived(in: remote.name.entity).filter { $0.name != remote.name }
    try store.setArrived(others + [remote], in: remote.name.entity)
  }

  /// What arrived while rows of its class were being created was none of those.
  mutating func insertArrived(in entity: Int, _ store: inout some SyncStore) throws {
    guard try store.creations(in: entity).isEmpty else { return }
    let arrived = try store.arrived(in: entity)
    let rows = try arrived.filter { try rivals(of: $0, store).isEmpty }
    if rows.isEmpty { return }
    try store.setArrived(arrived.filter { !rows.contains($0) }, in: entity)
    for remote in rows {
      // One that was admitted may be its rival.
      guard try rivals(of: remote, store).isEmpty else {
        try arrive(remote, &store)
        continue
      }
      var row: SyncRow
      if let id = try store.find(remote.name.key, in: entity) {
        // The server has taken the same key from someone else, and did not create the row that is here.
        guard let known = try store.row(id), known.base == .none, known.sent == nil else { continue }
        row = known
        for report in row.merge(try resolved(remote.fields, of: entity, store), policy) { try store.report(report) }
        row.version = remote.version
      } else {
        try admit(remote, &store)
        guard let id = try store.find(remote.name.key, in: entity), let new = try store.row(id) else { continue }
        row = new
      }
      // Later pages may have been read since.
      row.isOwed = true
      try owe(row, &store)
    }
  }

  /// Takes what has arrived about a row that was being created.
  func takeArrived(_ name: RemoteName, _ store: inout some SyncStore) throws -> RemoteRow? {
    let rows = try store.arrived(in: name.entity)
    guard let row = rows.first(where: { $0.name == name }) else { return nil }
    try store.setArrived(rows.filter { $0.name != name }, in: name.entity)
    return row
  }
}
