internal import Persistence
package import SyncKit

extension MemoryServer {
  /// What a server makes of rows that it creates or updates.
  package struct Rules {
    /// Why it does not take what was sent, with which a row would be as a whole.
    package var rejecting: (_ change: PushRequest.Change, _ sent: Fields, _ whole: Fields) -> String?
    /// How it writes a row.
    package var form: (RemoteName, Fields) throws -> Fields

    package init(
      rejecting: @escaping (PushRequest.Change, Fields, Fields) -> String?,
      form: @escaping (RemoteName, Fields) throws -> Fields = { $1 }
    ) {
      (self.rejecting, self.form) = (rejecting, form)
    }
  }

  package mutating func push(_ request: PushRequest, _ rules: Rules) throws -> [RowID: Outcome] {
    let before = abilities.remote.batch.isAtomic ? self : nil
    var keys: [RowID: SyncKey] = [:]
    var outcomes: [RowID: Outcome] = [:]
    for change in request.changes {
      let origin = Origin(row: change.row, push: request.push)
      let fields = named(change.fields, of: change.row.entity, keys, in: request)
      let isKnown = settling(change) == .idempotencyKey && self.outcomes[origin] != nil
      let old = change.key.flatMap { rows[RemoteName(change.row.entity, $0)]?.fields }
      let rejection =
        isKnown || change.kind == .deletion ? nil : rules.rejecting(change, fields, old?.taking(fields) ?? fields)
      let outcome = try rejection.map { .rejected($0) } ?? apply(change, fields, origin, before, rules)
      if case .accepted(let key?, _, _) = outcome { keys[change.row] = key }
      outcomes[change.row] = outcome
    }
    // An atomic batch takes effect as a whole.
    if let before, outcomes.values.contains(where: { !$0.isAccepted }) {
      let faults = faults
      self = before
      self.faults = faults
      outcomes = outcomes.filter { !$0.value.isAccepted }
      for change in request.changes {
        guard case .conflict(_?)? = outcomes[change.row], let key = change.key else { continue }
        outcomes[change.row] = .conflict(remoteRow(RemoteName(change.row.entity, key)))
      }
    }
    return outcomes
  }

  /// Values with the keys of rows that were made earlier in the batch.
  private mutating func named(
    _ fields: Fields, of entity: Int, _ keys: [RowID: SyncKey], in request: PushRequest
  ) -> Fields {
    model.mappingReferences(in: fields, of: entity) { target, reference in
      // What is not here cannot be referred to.
      if case .key(let key) = reference { return rows[RemoteName(target, key)] == nil ? .null : reference }
      guard case .object(let id) = reference else { return reference }
      if let key = keys[RowID(target, id)] { return .key(key) }
      // One that is in the batch was refused, and then the whole batch is.
      let isInBatch = request.changes.contains { $0.row == RowID(target, id) }
      if !isInBatch { faults.append("a reference to \(RowID(target, id)), which is not on the server") }
      return .null
    }
  }

  /// The values to write. An API that adds and removes single members keeps what others have added.
  private func written(_ fields: Fields, _ change: PushRequest.Change, _ row: Row) -> Fields {
    var fields = fields
    for index in fields.names where abilities.addsMembers {
      guard case .list(let list)? = fields[index], !list.isOrdered, case .list(let base)? = change.base?[index],
        case .list(let here)? = row.fields[index]
      else { continue }
      let removed = Set(base.members).subtracting(list.members)
      let kept = here.members.filter { !removed.contains($0) }
      fields[index] = .list(SyncList(kept + list.members.filter { !base.members.contains($0) }, isOrdered: false))
    }
    return row.fields.taking(fields)
  }

  private func settling(_ change: PushRequest.Change) -> CreationSettling { model.classes[change.row.entity].settling }

  private mutating func apply(
    _ change: PushRequest.Change, _ fields: Fields, _ origin: Origin, _ before: MemoryServer?, _ rules: Rules
  ) throws -> Outcome {
    if settling(change) == .idempotencyKey, let known = outcomes[origin] { return known }
    let name = RemoteName(change.row.entity, change.key ?? takeKey(in: change.row.entity))
    if erased.contains(name) { return .gone }
    let outcome: Outcome
    switch change.kind {
    case .creation:
      if let taken = remoteRow(name) { return .conflict(abilities.answersWithRows || change.key == nil ? taken : nil) }
      creations[origin.creation, default: 0] += 1
      origins[name] = origin
      write(name, try rules.form(name, fields))
      outcome = accepted(name)
    case .update, .deletion:
      guard let row = rows[name] else { return .missing }
      if isOutdated(change, row, name, before) {
        return .conflict(abilities.answersWithRows ? remoteRow(name) : nil)
      }
      if change.kind == .update {
        write(name, try rules.form(name, written(fields, change, row)))
        outcome = accepted(name)
      } else {
        delete(name)
        outcome = .accepted(key: nil, version: nil, nil)
      }
    }
    outcomes[origin] = outcome
    return outcome
  }

  /// The changes of an atomic batch are compared with what was there before it.
  private func isOutdated(
    _ change: PushRequest.Change, _ row: Row, _ name: RemoteName, _ before: MemoryServer?
  ) -> Bool {
    guard abilities.remote.comparesVersions else { return false }
    let known = before?.rows[name] ?? row
    return change.version != visible(known.version)
  }

  private func accepted(_ name: RemoteName) -> Outcome {
    let row = remoteRow(name)
    return .accepted(key: name.key, version: row?.version, abilities.answersWithRows ? row : nil)
  }
}

extension Outcome {
  fileprivate var isAccepted: Bool { if case .accepted = self { true } else { false } }
}
