import Persistence
import SyncKit

extension World {
  /// What is wrong when nothing moves any more.
  func mistakes() -> [String] {
    var mistakes: [String] = []
    for origin in server.doubles { mistakes.append("\(origin) was created twice") }
    for (number, device) in devices.enumerated() {
      var names: Set<RemoteName> = []
      for row in device.store.rows.values.sorted(by: { $0.id < $1.id }) {
        if row.hold != nil { continue }
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
      let held = device.store.rows.values.filter { $0.hold != nil }.compactMap { row in
        row.key.map { RemoteName(row.id.entity, $0) }
      }
      for name in server.rows.keys where !names.contains(name) && !held.contains(name) {
        mistakes.append("device \(number): \(name) is missing")
      }
    }
    return mistakes
  }

  private func named(_ fields: Fields, of entity: Int, _ store: MemoryStore) -> Fields {
    var fields = fields
    for (index, attribute) in server.model.classes[entity].attributes.enumerated() {
      guard let target = attribute.target, case .object(let id)? = fields[index] else { continue }
      fields[index] = store.rows[RowID(target, id)]?.key.map { .key($0) }
    }
    return fields
  }

  /// Whether a value that only one device wrote is on the server, was there, is still here, or is in a report.
  func isAccountedFor(_ value: SyncValue, on device: Int) -> Bool {
    let store = devices[device].store
    if server.history.values.contains(where: { $0.contains(value) }) { return true }
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
