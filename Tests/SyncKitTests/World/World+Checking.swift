import Persistence
import SyncKit
import SyncTesting

extension World {
  /// What is wrong when nothing moves any more.
  func mistakes() -> [String] {
    var mistakes: [String] = []
    for (number, device) in devices.enumerated() {
      let unseen = device.store.rows.values.filter(seesNoAbsence)
      let blocked = device.store.dependants(of: unseen)
      var names: Set<RemoteName> = []
      for row in device.store.rows.values.sorted(by: { $0.id < $1.id }) {
        if row.hold != nil || unseen.contains(row) || row.isChanged && blocked.contains(row.id) { continue }
        if row.isChanged || row.sent != nil || row.isOwed {
          mistakes.append("device \(number): \(row) still waits")
          continue
        }
        guard let key = row.key, let now = row.now else {
          mistakes.append("device \(number): \(row) has no key")
          continue
        }
        let name = RemoteName(row.id.entity, key)
        if !names.insert(name).inserted { mistakes.append("device \(number): \(name) is there twice") }
        let theirs = server.rows[name]?.fields
        if theirs != named(now, of: row.id.entity, device.store) {
          mistakes.append("device \(number): \(name) is \(now), but \(String(describing: theirs)) on the server")
        }
      }
      let known = Set(device.store.rows.values.compactMap { row in row.key.map { RemoteName(row.id.entity, $0) } })
      for name in server.names where !known.contains(name) {
        mistakes.append("device \(number): \(name) is missing")
      }
    }
    return mistakes
  }

  /// Whether the server has deleted a row, and none of its answers says so unless the row is sent or fetched.
  private func seesNoAbsence(of row: SyncRow) -> Bool {
    guard let name = row.key.map({ RemoteName(row.id.entity, $0) }), server.rows[name] == nil,
      server.history[name] != nil
    else { return false }
    switch server.abilities.listing {
    case .shifting: return !server.abilities.listsTogether
    // Only the items of a list are listed completely.
    case .byOwner: return name.entity == Simulation.items && !server.abilities.listsTogether
    case .whole, .log, .byKey: return false
    }
  }

  private func named(_ fields: Fields, of entity: Int, _ store: MemoryStore) -> Fields {
    server.model.mappingReferences(in: fields, of: entity) { target, reference in
      guard case .object(let id) = reference, let key = store.rows[RowID(target, id)]?.key else { return reference }
      return .key(key)
    }
  }

  /// Whether a value that only one device wrote is on the server, was there, is still here, or is in a report.
  func isAccountedFor(_ value: SyncValue, of row: RowID, on device: Int) -> Bool {
    let store = devices[device].store
    if judge.isErased(row, on: device) { return true }
    if server.history.values.contains(where: { $0.contains { $0.contains(value) } }) { return true }
    if store.rows.values.contains(where: { $0.now?.values.contains(value) ?? false }) { return true }
    return store.reports.contains { report in
      switch report.kind {
      case .attribute(_, _, let mine, _): mine == value
      case .deletedThere(let fields): fields.values.contains(value)
      case .deletedHere, .erased: false
      }
    }
  }
}

extension MemoryStore {
  /// The rows that were changed with some rows or refer to them, and so on.
  func dependants(of rows: [SyncRow]) -> Set<RowID> {
    var found = Set(rows.map(\.id))
    var rest = Array(found)
    while let next = rest.popLast() {
      // In the base of a list, a row that is deleted here may be written by its key.
      let waiting = self.rows[next]?.key.map { self.waiting(for: $0, in: next.entity).map(\.row) } ?? []
      for other in tied(to: next) + referrers(of: next).map(\.row) + waiting where found.insert(other).inserted {
        rest.append(other)
      }
    }
    return found
  }

  /// The rows that wait although neither they nor any row that they were changed with or refer to is held.
  func blockedForNothing() -> [SyncRow] {
    let blocked = dependants(of: rows.values.filter { $0.hold != nil || $0.isOwed })
    return rows.values.filter { $0.isChanged && !blocked.contains($0.id) }.sorted { $0.id < $1.id }
  }
}
