import Persistence
import SyncTesting

@testable import SyncKit

/// 128 bits that stand for a state.
struct Digest: Hashable {
  var first: Int
  var second: Int
}

/// States that behave alike have the same digest: it contains neither the numbers of requests, pushes and commits, of
/// which only the order matters, nor answers to pushes that are settled, nor the order of messages.
extension ExplorationState {
  var digest: Digest {
    var (first, second) = (Hasher(), Hasher())
    second.combine(1)
    feed(&first)
    feed(&second)
    return Digest(first: first.finalize(), second: second.finalize())
  }

  private func feed(_ hasher: inout Hasher) {
    hasher.combine(left)
    hasher.combine(losses)
    hasher.combine(active)
    let versions = ranks()
    for time in times { hasher.combine(versions[time]) }
    for server in past + [world.server] {
      hasher.combine(versions[server.version])
      for row in server.rows.values { feed(row.fields, versions[row.version], &hasher) }
    }
    for device in world.devices.indices { feed(device, versions, &hasher) }
    // Each device has at most one message of a kind on its way.
    let messages = world.messages.sorted { ($0.device, $0.kind) < ($1.device, $1.kind) }
    for message in messages { feed(message, versions, &hasher) }
  }

  private func feed(_ fields: Fields?, _ version: Int?, _ hasher: inout Hasher) {
    hasher.combine(fields)
    hasher.combine(version)
  }

  private func feed(_ number: Int, _ versions: [Int64: Int], _ hasher: inout Hasher) {
    let device = world.devices[number]
    for row in device.store.rows.values {
      feed(row.now, row.version?.number.flatMap { versions[$0] }, &hasher)
      hasher.combine(row.base)
      hasher.combine(row.isOwed)
      hasher.combine(row.hold)
      hasher.combine(row.sent?.kind)
      hasher.combine(row.sent?.fields)
      hasher.combine(row.sent.map { $0.attempts > 1 })
      if let sent = row.sent { feed(world.server.outcomes[.init(row: row.id, push: sent.push)], versions, &hasher) }
      for step in [Step.edit, .editOther] {
        let value = Self.value(step, number)
        hasher.combine(world.server.history.values.contains { $0.contains { $0.contains(value) } })
      }
    }
    for report in device.store.reports { hasher.combine(report.kind) }
    let machine = device.machine
    hasher.combine(machine.wanted)
    hasher.combine(machine.isPaused)
    hasher.combine(machine.pushes.count)
    hasher.combine(machine.overlapped.count)
    // An answer only matters to the requests that began before it.
    for request in machine.requests.values.sorted(by: { $0.began < $1.began }) {
      hasher.combine(request.kind)
      for answer in machine.answers.values { hasher.combine(answer > request.began) }
    }
  }

  private func feed(_ message: World.Message, _ versions: [Int64: Int], _ hasher: inout Hasher) {
    hasher.combine(message.device)
    hasher.combine(message.kind)
    switch message {
    case .request(_, .push(let request), _):
      for change in request.changes {
        feed(change.fields, change.version?.number.flatMap { versions[$0] }, &hasher)
        hasher.combine(change.kind)
      }
    case .request(_, _, let since): hasher.combine(versions[since])
    case .answer(_, .recorded(_, let outcomes), _): for outcome in outcomes.values { feed(outcome, versions, &hasher) }
    case .answer: break
    }
  }

  private func feed(_ outcome: Outcome?, _ versions: [Int64: Int], _ hasher: inout Hasher) {
    switch outcome {
    case .accepted(_, let version, let row):
      hasher.combine(0)
      feed(row?.fields, version?.number.flatMap { versions[$0] }, &hasher)
    case .conflict(let row):
      hasher.combine(1)
      feed(row?.fields, row?.version?.number.flatMap { versions[$0] }, &hasher)
    default: hasher.combine(outcome == nil)
    }
  }

  /// The ranks of all versions in the state: only their order matters.
  private func ranks() -> [Int64: Int] {
    var all = Set(times)
    for server in past + [world.server] {
      all.insert(server.version)
      for row in server.rows.values { all.insert(row.version) }
    }
    for device in world.devices {
      for row in device.store.rows.values { if let number = row.version?.number { all.insert(number) } }
      for case .some(let sent) in device.store.rows.values.map(\.sent) {
        if let number = world.server.outcomes[.init(row: RowID(0, 1), push: sent.push)]?.version { all.insert(number) }
      }
    }
    for message in world.messages {
      switch message {
      case .request(_, .push(let request), _):
        for change in request.changes { if let number = change.version?.number { all.insert(number) } }
      case .request(_, _, let since): all.insert(since)
      case .answer(_, .recorded(_, let outcomes), _):
        for outcome in outcomes.values { if let number = outcome.version { all.insert(number) } }
      case .answer: break
      }
    }
    return Dictionary(uniqueKeysWithValues: all.sorted().enumerated().map { ($1, $0) })
  }
}

extension SyncRow.Version {
  fileprivate var number: Int64? {
    switch self {
    case .ordered(let version): version
    case .opaque(let tag): Int64(tag)
    }
  }
}

extension Outcome {
  fileprivate var version: Int64? {
    switch self {
    case .accepted(_, let version, _): version?.number
    case .conflict(let row): row?.version?.number
    default: nil
    }
  }
}

extension World.Message {
  fileprivate var kind: Int {
    switch action {
    case .pull: 0
    case .fetch: 1
    case .push: isRequest ? 2 : 3
    case .find, .perform, .wake: 4
    }
  }
}
