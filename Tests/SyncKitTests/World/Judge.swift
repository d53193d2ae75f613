import Persistence
import SyncKit
import SyncTesting

/// Knows everything, and finds what must not happen while it happens.
struct Judge: Hashable {
  /// What was wrong first.
  private(set) var faults: [String] = []
  /// The outcomes that a device has recorded.
  private var recorded: Set<MemoryServer.Origin> = []
  /// The rows that the app has deleted.
  private var deleted: Set<MemoryServer.Creation> = []
  /// What they were called, because one row may be here twice until its creation is settled.
  private var deletedNames: Set<RemoteName> = []
  /// The rows of which nothing may remain.
  private var erased: Set<Erased> = []
  /// Rows that were made in one commit.
  private var groups: [[MemoryServer.Creation]] = []
  /// The commands in the order in which they were enqueued, and the last one that was performed.
  var enqueued: [Int64: Int] = [:]
  var lastPerformed: [Queue: Int] = [:]
  private var seen: [Seen: SyncRow.Version] = [:]
  private var seenValues: [Seen: Int] = [:]

  struct Queue: Hashable {
    var device: Int
    var name: String
  }

  private struct Seen: Hashable {
    var device: Int
    var row: RowID
    var attribute = 0
  }

  private struct Erased: Hashable {
    var device: Int
    var row: RowID
  }

  mutating func note(_ fault: String) { faults.append(fault) }

  mutating func inserted(_ rows: [RowID], by replica: Int64) {
    if rows.count > 1 { groups.append(rows.map { MemoryServer.Creation(row: $0, replica: replica) }) }
  }

  mutating func deleted(_ row: RowID, _ key: SyncKey?, by replica: Int64) {
    deleted.insert(MemoryServer.Creation(row: row, replica: replica))
    if let key { deletedNames.insert(RemoteName(row.entity, key)) }
  }

  mutating func recorded(_ outcomes: [RowID: Outcome], in push: Int64) {
    for (row, outcome) in outcomes {
      if case .failed = outcome { continue }
      recorded.insert(MemoryServer.Origin(row: row, push: push))
    }
  }

  mutating func sent(_ request: PushRequest, by replica: Int64) {
    for change in request.changes {
      if recorded.contains(MemoryServer.Origin(row: change.row, push: request.push)) {
        faults.append("\(change) is sent again in \(request.push), and had an outcome")
      }
      let row = MemoryServer.Creation(row: change.row, replica: replica)
      let isDeleted =
        deleted.contains(row) || change.key.map { deletedNames.contains(RemoteName(row.row.entity, $0)) } ?? false
      if change.kind == .deletion, !isDeleted { faults.append("\(change) was not deleted by the app") }
    }
  }

  mutating func answered(_ outcomes: [RowID: Outcome], to device: Int, _ server: MemoryServer) {
    for (row, outcome) in outcomes where outcome == .gone { erased.insert(Erased(device: device, row: row)) }
    faults += server.faults
    if let double = server.doubles.first { faults.append("\(double) was created twice") }
  }

  func isErased(_ row: RowID, on device: Int) -> Bool { erased.contains(Erased(device: device, row: row)) }

  /// What was made in one commit arrives whole.
  mutating func checkGroups(_ devices: [World.Device], _ server: MemoryServer) {
    guard case .atomic = server.abilities.remote.batch else { return }
    for group in groups {
      let missing = group.filter { row in
        guard let device = devices.first(where: { $0.store.replica == row.replica }),
          let known = device.store.rows[row.row]
        else { return false }
        return known.now != nil && known.base == .none && server.creations[row] == nil
      }
      if missing.isEmpty || !group.contains(where: { server.creations[$0] != nil }) { continue }
      faults.append("\(missing) of \(group) are missing")
    }
  }

  /// What a device knows of the server never becomes older.
  mutating func look(at store: MemoryStore, of device: Int, _ server: MemoryServer) {
    let isOrdered = server.abilities.remote.versions == .ordered
    if server.abilities.lags && !isOrdered { return }
    for id in store.touched.sorted() {
      guard let row = store.rows[id], let key = row.key, row.isThere else { continue }
      if isOrdered { compareVersions(row, Seen(device: device, row: id)) }
      guard let base = row.baseFields, !server.abilities.lags else { continue }
      for attribute in 0...1 {
        let place = Seen(device: device, row: id, attribute: attribute)
        guard let value = base[attribute], let values = server.history[RemoteName(id.entity, key)]?[attribute],
          let index = values.firstIndex(of: value)
        else { continue }
        // A repeated push may write a value again.
        if values.lastIndex(of: value) != index {
          seenValues[place] = nil
          continue
        }
        if let old = seenValues[place], old > index { faults.append("device \(device): \(row) has become older") }
        seenValues[place] = index
      }
    }
  }

  private mutating func compareVersions(_ row: SyncRow, _ place: Seen) {
    guard let version = row.version else { return }
    if let old = seen[place], version.isOlder(than: old) == true {
      faults.append("device \(place.device): \(row) has become older than \(old)")
    }
    seen[place] = version
  }

  /// A device begins again with an older store.
  mutating func forget(_ device: Int, _ store: MemoryStore) {
    seen = seen.filter { $0.key.device != device }
    seenValues = seenValues.filter { $0.key.device != device }
    recorded = []
    lastPerformed = lastPerformed.filter { $0.key.device != device }
    for row in store.rows.values where row.now == nil { deleted(row.id, row.key, by: store.replica) }
  }
}
