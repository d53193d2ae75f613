import SyncKit
import SyncTesting

extension World {
  /// The process ends, with everything that was in flight. What the server has received takes effect.
  mutating func restart(_ device: Int) throws {
    messages.removeAll { $0.device == device }
    if let remains = devices[device].remains { devices[device].store = remains }
    devices[device].remains = nil
    let old = devices[device].machine
    devices[device].machine = SyncMachine(old.model, old.capabilities, scopes: old.scopes)
    devices[device].machine.removed = removed
    devices[device].wakes = []
    try send(.started, to: device)
  }

  /// A device gets an older copy of its store, as from a backup. It is a new replica.
  mutating func restore(_ device: Int, as replica: Int64) throws {
    guard var copy = devices[device].copy else { return }
    server.restored.formUnion([copy.replica, devices[device].store.replica])
    copy.replica = replica
    (devices[device].store, devices[device].copy, devices[device].remains) = (copy, nil, nil)
    judge.forget(device, copy)
    try restart(device)
  }

  /// Time passes until something is to be done.
  mutating func wake() throws -> Bool {
    let times = devices.flatMap { $0.wakes.filter { $0 > now } }
    guard let next = times.min() else { return false }
    now = next
    for device in devices.indices where devices[device].wakes.contains(next) {
      devices[device].wakes = devices[device].wakes.filter { $0 > next }
      try send(.woke, to: device)
    }
    return true
  }

  /// No message is lost any more, and everyone looks for changes until nothing moves.
  ///
  /// - Returns: Whether that was so after a limited number of messages.
  mutating func heal() throws -> Bool {
    var deliveries = 0
    for _ in 0..<20 {
      let before = (server.rows, devices.map(\.store.rows))
      for device in devices.indices {
        try send(.poll, to: device)
        for scope in devices[device].machine.doubted { try send(.trusted(scope: scope), to: device) }
      }
      while try !messages.isEmpty || wake() {
        while !messages.isEmpty {
          deliveries += 1
          if deliveries > 10_000 { return false }
          try deliver(0)
        }
      }
      let isDoubted = devices.contains { !$0.machine.doubted.isEmpty }
      if before.0 == server.rows, before.1 == devices.map(\.store.rows), !isDoubted { return true }
    }
    return false
  }
}
