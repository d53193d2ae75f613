import Persistence
import SyncKit

/// A store in memory, as the machine sees it: it keeps the base of a row when it is first changed, as the triggers do.
struct MemoryStore: SyncStore, Hashable {
  let model: SyncModel
  private(set) var rows: [RowID: SyncRow] = [:]
  private var changedRows: Set<RowID> = []
  private var nextIDs: [Int: Int64] = [:]
  private var lastPush: Int64 = 0
  private var nextNumber: Int64 = 1
  private var ties: Set<Tie> = []
  private var commit: Int64 = 0
  private var positions: [String: String] = [:]
  private(set) var reports: [ConflictReport] = []
  private var arrivals: [Int: [RemoteRow]] = [:]
  /// In the order in which they were enqueued.
  var commands: [StoredCommand] = []
  /// The keys of rows that have not arrived, as the machine wrote them last. The app sees relationships that are nil.
  private var absent: [RowID: [Int: [Int64: SyncKey]]] = [:]
  /// A store that is a copy of another one is a new replica.
  var replica: Int64
  /// Whether rows are called by what they are.
  var hasNaturalKeys = false
  /// The rows that were written since this was last emptied.
  var touched: Set<RowID> = []
  var removed: Set<SyncGuard> = []

  private struct Tie: Hashable {
    var commit: Int64
    var row: RowID
  }

  init(_ model: SyncModel, replica: Int64) { (self.model, self.replica) = (model, replica) }

  // Changes of the app

  mutating func insert(_ fields: Fields, in entity: Int) -> RowID {
    let id = takeID(in: entity)
    var row = SyncRow(id, key: nil, now: fields, base: .none)
    // An app makes keys, or leaves that to the engine.
    if model.classes[entity].settling.makesKeyHere, hasNaturalKeys || id.id % 2 == 0 { row.key = makeKey(in: entity) }
    write(row)
    return id
  }

  mutating func edit(_ id: RowID, _ attribute: Int, _ value: SyncValue) {
    var value = value
    if case .list(let list) = value {
      value = .list(SyncList(list.rows, with: absent[id]?[attribute] ?? [:], isOrdered: list.isOrdered))
    }
    guard var row = rows[id], let old = row.now?[attribute], old != value else { return }
    capture(&row)
    row.now?[attribute] = value
    // A relationship to a row that has not arrived is nil, so this is how it was.
    if value == .null, let key = absent[id]?[attribute]?[0] { row.now?[attribute] = .key(key) }
    write(row)
  }

  mutating func delete(_ id: RowID) {
    guard var row = rows[id], row.now != nil else { return }
    for (other, attribute) in referrers(of: id) {
      guard let value = rows[other]?.now?[attribute], value.references.contains(.object(id.id)) else { continue }
      edit(other, attribute, value.replacing(.object(id.id), by: .null))
    }
    capture(&row)
    row.now = nil
    write(row)
  }

  /// Ties rows that were changed in one commit.
  mutating func tie(_ ids: [RowID]) {
    guard ids.count > 1 else { return }
    commit += 1
    for id in ids { ties.insert(Tie(commit: commit, row: id)) }
  }

  private func capture(_ row: inout SyncRow) {
    if row.base == .same, let now = row.now, !removed.contains(.baseBeforeCommit) { row.base = .known(now) }
  }

  private mutating func takeID(in entity: Int) -> RowID {
    nextIDs[entity, default: 0] += 1
    return RowID(entity, nextIDs[entity, default: 0])
  }

  private mutating func write(_ row: SyncRow) {
    touched.insert(row.id)
    rows[row.id] = row.isGone ? nil : row
    let isWaiting = rows[row.id].map { $0.isChanged || $0.sent != nil || $0.hold != nil } ?? false
    if isWaiting { changedRows.insert(row.id) } else { changedRows.remove(row.id) }
  }

  private mutating func takeNumber() -> Int64 {
    defer { nextNumber += 1 }
    return nextNumber
  }

  // SyncStore

  func row(_ id: RowID) -> SyncRow? {
    guard var row = rows[id] else { return nil }
    if case .known(let fields) = row.base { row.base = .known(named(fields, of: id.entity)) }
    if let sent = row.sent { row.sent?.fields = named(sent.fields, of: id.entity) }
    if case .rejected(let reason, let fields?) = row.hold {
      row.hold = .rejected(reason: reason, named(fields, of: id.entity))
    }
    return row
  }

  /// References to rows that were deleted here are written as keys.
  private func named(_ fields: Fields, of entity: Int) -> Fields {
    model.mappingReferences(in: fields, of: entity) { target, reference in
      guard case .object(let id) = reference, let row = rows[RowID(target, id)], row.now == nil, let key = row.key
      else { return reference }
      return .key(key)
    }
  }

  func find(_ key: SyncKey, in entity: Int) -> RowID? {
    rows.values.first { $0.id.entity == entity && $0.key == key }?.id
  }

  func holder(of value: SyncValue, _ attribute: Int, in entity: Int) -> RowID? {
    rows.values.filter { $0.id.entity == entity && $0.now?[attribute] == value }.map(\.id).min()
  }

  mutating func put(_ row: SyncRow) {
    if rows[row.id] == row, !row.isGone { return }
    write(row)
    noteAbsent(row)
  }

  private mutating func noteAbsent(_ row: SyncRow) {
    var keys: [Int: [Int64: SyncKey]] = [:]
    for (index, value) in (row.now?.values ?? []).enumerated() {
      if case .key(let key) = value { keys[index] = [0: key] }
      if case .list(let list) = value, !list.absent.isEmpty { keys[index] = list.absent }
    }
    absent[row.id] = keys.isEmpty ? nil : keys
  }

  mutating func insert(_ rows: [RemoteRow], in entity: Int) -> [RowID] {
    rows.map { remote in
      var all = Fields(ContiguousArray(model.classes[entity].attributes.map(\.empty)))
      all.take(remote.fields)
      var row = SyncRow(takeID(in: entity), key: remote.name.key, now: all, base: .same)
      row.version = remote.version
      put(row)
      return row.id
    }
  }

  mutating func makeKey(in entity: Int) -> SyncKey {
    let number = takeNumber()
    let natural = SyncKey(.integer(number % 9))
    return hasNaturalKeys && find(natural, in: entity) == nil ? natural : SyncKey(.integer(unique(number)))
  }

  private func unique(_ number: Int64) -> Int64 { replica * 1_000_000 + number }

  func changed(after id: RowID?) -> [RowID] {
    changedRows.filter { row in id.map { $0 < row } ?? true }.sorted()
  }

  func inFlight() -> [RowID] { rows.values.filter { $0.sent != nil }.map(\.id).sorted() }

  func creations(in entity: Int) -> [RowID] {
    rows.values.filter { $0.id.entity == entity && $0.sent?.kind == .creation }.map(\.id).sorted()
  }

  func owed() -> [RowID] { rows.values.filter(\.isOwed).map(\.id).sorted() }

  func rows(in coverage: Coverage) -> [(id: RowID, key: SyncKey)] {
    rows.values.filter { row in
      guard row.id.entity == coverage.entity, let key = row.key, coverage.contains(key) else { return false }
      guard let owner = coverage.owner else { return true }
      return row.baseFields?[owner.attribute].map { isReference($0, to: owner, of: coverage.entity) } ?? false
    }.sorted { $0.id < $1.id }.compactMap { row in row.key.map { (row.id, $0) } }
  }

  private func isReference(_ value: SyncValue, to owner: Coverage.Owner, of entity: Int) -> Bool {
    guard case .object(let id) = value, let target = model.classes[entity].attributes[owner.attribute].target else {
      return value == .key(owner.key)
    }
    return rows[RowID(target, id)]?.key == owner.key
  }

  func referrers(of id: RowID) -> [(row: RowID, attribute: Int)] {
    uses(of: .object(id.id), in: id.entity)
  }

  func waiting(for key: SyncKey, in entity: Int) -> [(row: RowID, attribute: Int)] { uses(of: .key(key), in: entity) }

  private func uses(of value: SyncValue, in target: Int) -> [(row: RowID, attribute: Int)] {
    rows.values.flatMap { row -> [(row: RowID, attribute: Int)] in
      let fields = [row.now, row.baseFields, row.sent?.fields].compactMap { $0 }
      return model.classes[row.id.entity].attributes.enumerated().compactMap { index, attribute in
        attribute.target == target && fields.contains { $0[index]?.references.contains(value) == true }
          ? (row.id, index) : nil
      }
    }.sorted { ($0.row, $0.attribute) < ($1.row, $1.attribute) }
  }

  func ties(of id: RowID) -> [Int64] { Set(ties.lazy.filter { $0.row == id }.map(\.commit)).sorted() }

  func tied(by commit: Int64) -> [RowID] { ties.lazy.filter { $0.commit == commit }.map(\.row).sorted() }

  func tied(to id: RowID) -> [RowID] {
    let commits = Set(ties.lazy.filter { $0.row == id }.map(\.commit))
    return Set(ties.lazy.filter { commits.contains($0.commit) && $0.row != id }.map(\.row)).sorted()
  }

  func lastCommit() -> Int64 { commit }

  mutating func untie(_ id: RowID, upTo commit: Int64) {
    ties = ties.filter { $0.row != id || $0.commit > commit }
  }

  func position(of scope: String) -> String? { positions[scope] }
  mutating func setPosition(_ position: String?, of scope: String) { positions[scope] = position }
  mutating func nextPush() -> Int64 {
    lastPush += 1
    return unique(lastPush)
  }
  mutating func report(_ report: ConflictReport) { reports.append(report) }
  mutating func eraseReports(of id: RowID) { reports.removeAll { $0.row == id } }
  func arrived(in entity: Int) -> [RemoteRow] { (arrivals[entity] ?? []).sorted { $0.name.key < $1.name.key } }
  mutating func setArrived(_ rows: [RemoteRow], in entity: Int) { arrivals[entity] = rows.isEmpty ? nil : rows }
}
