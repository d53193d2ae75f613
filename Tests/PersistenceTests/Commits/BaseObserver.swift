@testable import Persistence

/// Keeps what the titles and their pairs were before a transaction, as it is reported during it.
final class BaseObserver: SaveObserver {
  var interest: SaveInterest = []
  /// The values of a row by slot, or nil if the row is new.
  private(set) var rows: [Int64: [Int: StoredValue]?] = [:]
  /// Whether a pair was there.
  private(set) var pairs: [[Int64]: Bool] = [:]
  private(set) var orders: [MemberOrders] = []
  private(set) var isEnded = false
  private var connection: Connection?

  func interest(in connection: Connection) -> SaveInterest {
    self.connection = connection
    (rows, pairs, isEnded) = ([:], [:], false)
    return interest
  }

  func willChange(_ slots: SlotSet, of entity: Entity, rows query: String) throws(PersistenceError) {
    guard entity.type == Title.self, let connection else { return }
    let statement = try connection.statement(
      "SELECT \(entity.selection) FROM \(entity.table) WHERE \(SQL.name(SQL.id)) IN \(query)")
    while try statement.step() {
      for slot in slots { keep(statement.value(Int32(slot) + 1), slot, statement.int64(0)) }
    }
  }

  func willChangePairs(of join: JoinTable, where condition: String) throws(PersistenceError) {
    guard let connection else { return }
    let statement = try connection.statement("SELECT \(join.columns) FROM \(SQL.name(join.name)) WHERE \(condition)")
    while try statement.step() { keep([statement.int64(0), statement.int64(1)], true) }
  }

  func record(_ changes: ChangeSet) {
    for changes in changes.entities where changes.entity.type == Title.self {
      for row in changes.rows {
        if row.kind == .inserted, rows[row.id] == nil { rows[row.id] = .some(nil) }
        for slot in changes.slots(of: row) { keep(changes.values(slot, of: row)?.old ?? .null, slot, row.id) }
      }
    }
    for link in changes.links {
      switch link {
      case .added(_, let first, let second): keep([first, second], false)
      case .removed(_, let first, let second): keep([first, second], true)
      case .reordered(_, _, _, let orders): if let orders { self.orders.append(orders) }
      case .all: break
      }
    }
  }

  func committed(_ changes: ChangeSet?) { isEnded = true }
  func rolledBack() { isEnded = true }

  private func keep(_ value: StoredValue, _ slot: Int, _ id: Int64) {
    if case .some(nil) = rows[id] { return }
    if rows[id]??[slot] == nil { rows[id, default: [:]]?[slot] = value }
  }

  private func keep(_ pair: [Int64], _ isThere: Bool) { if pairs[pair] == nil { pairs[pair] = isThere } }

  /// What differs from the rows and pairs that were there.
  func problems(_ before: StoredTitles, _ after: StoredTitles) -> [String] {
    var problems = isEnded ? [] : ["the observer did not receive the end"]
    if interest.isEmpty { return problems }
    for (id, values) in rows {
      guard let row = before.rows[id] else {
        if values != nil { problems.append("the observer received a base of the new row \(id)") }
        continue
      }
      for (slot, value) in values ?? [-1: .null] where slot < 0 || value != row[slot] {
        problems.append("the base is \(value), not \(row[max(slot, 0)])")
      }
    }
    for id in Set(before.values.keys).union(after.values.keys) {
      let (old, new) = (before.values[id], after.values[id])
      guard let old else {
        if rows[id] == nil { problems.append("the observer did not receive the new row \(id)") }
        continue
      }
      for slot in old.indices where old[slot] != new?[slot] && rows[id]??[slot] == nil {
        problems.append("the observer did not receive \(old[slot]) -> \(new?[slot] as Any)")
      }
    }
    for pair in before.pairs.symmetricDifference(after.pairs) where pairs[pair] == nil {
      problems.append("the observer did not receive \(pair)")
    }
    return problems + pairs.filter { before.pairs.contains($0.key) != $0.value }.map { "\($0) was not so" }
  }
}
