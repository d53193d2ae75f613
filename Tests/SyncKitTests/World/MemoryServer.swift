import Persistence
import SyncKit

/// An API with a table for each class, in memory, with what an API can and cannot do.
struct MemoryServer: Hashable {
  struct Abilities: Hashable {
    var remote = RemoteCapabilities()
    /// Whether an answer to a push contains the row.
    var answersWithRows = true
    /// Whether pages are a log of changes since a position. Otherwise each page is the whole list.
    var hasLog = false
  }

  struct Row: Hashable {
    var fields: Fields
    var version: Int64
  }

  let model: SyncModel
  let abilities: Abilities
  private(set) var rows: [RemoteName: Row] = [:]
  private var log: [RemoteName] = []
  private var nextKey: Int64 = 1
  private var version: Int64 = 0
  private var outcomes: [Origin: Outcome] = [:]
  /// How many rows were made of each row of a device.
  private var creations: [Origin: Int] = [:]
  private var origins: [RemoteName: Origin] = [:]
  /// All values that a row ever had.
  private(set) var history: [RemoteName: Set<SyncValue>] = [:]

  struct Origin: Hashable {
    var device: Int
    var row: RowID
    var push: Int64
  }

  init(_ model: SyncModel, _ abilities: Abilities) { (self.model, self.abilities) = (model, abilities) }

  mutating func change(_ name: RemoteName, _ change: (inout Fields) -> Void) {
    guard var row = rows[name] else { return }
    change(&row.fields)
    write(name, row.fields)
  }

  mutating func insert(_ fields: Fields, in entity: Int) -> RemoteName {
    let name = RemoteName(entity, SyncKey(.integer(nextKey)))
    nextKey += 1
    write(name, fields)
    return name
  }

  /// Rows that refer to it lose the reference.
  mutating func delete(_ name: RemoteName) {
    guard rows.removeValue(forKey: name) != nil else { return }
    note(name)
    for (other, row) in rows.sorted(by: { ($0.key.entity, $0.key.key) < ($1.key.entity, $1.key.key) }) {
      for (index, attribute) in model.classes[other.entity].attributes.enumerated()
      where attribute.target == name.entity && row.fields[index] == .key(name.key) {
        change(other) { $0[index] = .null }
      }
    }
  }

  private mutating func write(_ name: RemoteName, _ fields: Fields) {
    version += 1
    rows[name] = Row(fields: fields, version: version)
    for value in fields.values { if let value { history[name, default: []].insert(value) } }
    note(name)
  }

  private mutating func note(_ name: RemoteName) {
    log.removeAll { $0 == name }
    log.append(name)
    version += 1
    stamps[name] = version
  }

  private var stamps: [RemoteName: Int64] = [:]

  // Answers

  func remoteRow(_ name: RemoteName) -> RemoteRow? {
    rows[name].map { RemoteRow(name, version: visible($0.version), $0.fields) }
  }

  private func visible(_ version: Int64) -> SyncRow.Version? {
    switch abilities.remote.versions {
    case .none: nil
    case .opaque: .opaque("\(version)")
    case .ordered: .ordered(version)
    }
  }

  func page(after position: String?) -> Page {
    guard abilities.hasLog else {
      let all = rows.keys.sorted { ($0.entity, $0.key) < ($1.entity, $1.key) }.compactMap(remoteRow)
      return Page(all, covers: model.classes.indices.map { Coverage(of: $0) })
    }
    let since = position.flatMap { Int64($0) }
    let names = log.filter { since == nil || stamps[$0, default: 0] > since ?? 0 }
    return Page(
      names.compactMap(remoteRow), deleted: names.filter { rows[$0] == nil }, position: "\(version)",
      covers: since == nil ? model.classes.indices.map { Coverage(of: $0) } : [])
  }

  func fetch(_ names: [RemoteName]) -> (rows: [RemoteRow], missing: [RemoteName]) {
    (names.compactMap(remoteRow), names.filter { rows[$0] == nil })
  }

  /// The rows of a device that are here more often than they were made there.
  ///
  /// A row whose creation had no answer may have been deleted since by another program. Only a server that remembers
  /// what it has answered does not make it again then.
  var doubles: [Origin] {
    if model.classes.allSatisfy({ $0.settling == .idempotencyKey }) {
      return creations.filter { $0.value > 1 }.map(\.key)
    }
    var counts: [Origin: Int] = [:]
    for (name, origin) in origins where rows[name] != nil {
      counts[Origin(device: origin.device, row: origin.row, push: 0), default: 0] += 1
    }
    return counts.filter { $0.value > 1 }.map(\.key)
  }

  func find(_ origin: Origin) -> RemoteRow? {
    origins.first { $0.value == origin }.flatMap { remoteRow($0.key) }
  }

  mutating func push(_ request: PushRequest, from device: Int, isRejecting: Bool) -> [RowID: Outcome] {
    let before = self
    var keys: [RowID: SyncKey] = [:]
    var outcomes: [RowID: Outcome] = [:]
    for change in request.changes {
      let origin = Origin(device: device, row: change.row, push: request.push)
      var fields = change.fields
      for (index, attribute) in model.classes[change.row.entity].attributes.enumerated()
      where index < fields.values.count {
        guard case .object(let id)? = fields[index], let target = attribute.target else { continue }
        fields[index] = keys[RowID(target, id)].map { .key($0) }
      }
      let isPoison = isRejecting && fields.values.first.map { $0?.isPoison ?? false } ?? false
      let isKnown = settling(change) == .idempotencyKey && self.outcomes[origin] != nil
      let outcome = isPoison && !isKnown ? .rejected("it ends in 7") : apply(change, fields, origin, before)
      if case .accepted(let key?, _, _) = outcome { keys[change.row] = key }
      outcomes[change.row] = outcome
    }
    // An atomic batch takes effect as a whole.
    if case .atomic = abilities.remote.batch, outcomes.values.contains(where: { !$0.isAccepted }) {
      self = before
      outcomes = outcomes.filter { !$0.value.isAccepted }
    }
    return outcomes
  }

  private func settling(_ change: PushRequest.Change) -> CreationSettling { model.classes[change.row.entity].settling }

  private mutating func apply(
    _ change: PushRequest.Change, _ fields: Fields, _ origin: Origin, _ before: MemoryServer
  ) -> Outcome {
    if settling(change) == .idempotencyKey, let known = outcomes[origin] { return known }
    let name = RemoteName(change.row.entity, change.key ?? SyncKey(.integer(nextKey)))
    let outcome: Outcome
    switch change.kind {
    case .creation:
      if let taken = remoteRow(name) { return .conflict(taken) }
      if change.key == nil { nextKey += 1 }
      creations[Origin(device: origin.device, row: origin.row, push: 0), default: 0] += 1
      origins[name] = origin
      write(name, fields)
      outcome = accepted(name)
    case .update:
      guard let row = rows[name] else { return .missing }
      if isOutdated(change, row, name, before) {
        return .conflict(abilities.answersWithRows ? remoteRow(name) : nil)
      }
      write(name, row.fields.taking(fields))
      outcome = accepted(name)
    case .deletion:
      guard let row = rows[name] else { return .missing }
      if isOutdated(change, row, name, before) {
        return .conflict(abilities.answersWithRows ? remoteRow(name) : nil)
      }
      delete(name)
      outcome = .accepted(key: nil, version: nil, nil)
    }
    outcomes[origin] = outcome
    return outcome
  }

  /// The changes of an atomic batch are compared with what was there before it.
  private func isOutdated(
    _ change: PushRequest.Change, _ row: Row, _ name: RemoteName, _ before: MemoryServer
  ) -> Bool {
    guard abilities.remote.comparesVersions else { return false }
    let known = if case .atomic = abilities.remote.batch { before.rows[name] ?? row } else { row }
    return change.version != visible(known.version)
  }

  private func accepted(_ name: RemoteName) -> Outcome {
    let row = remoteRow(name)
    return .accepted(key: name.key, version: row?.version, abilities.answersWithRows ? row : nil)
  }
}

extension SyncValue {
  fileprivate var isPoison: Bool { if case .plain(.text(let text)) = self { text.hasSuffix("7") } else { false } }
}

extension Outcome {
  var isAccepted: Bool { if case .accepted = self { true } else { false } }
}
