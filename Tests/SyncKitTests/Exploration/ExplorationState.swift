import Persistence
import SyncKit
import SyncTesting

/// Two devices that share a row, what they have still to do, and what may still be lost.
///
/// Two devices only meet at the server, and there only what a push does matters to the other one. Any order of events
/// is therefore like one in which a device does all that it does between two of its pushes at once, just before the
/// second one takes effect: `active` is in the middle of that, and the other device waits until it has finished.
///
/// What was postponed happened earlier. Each device has a time of its own, a version of the server that may be older
/// than the last one. A read is answered in one step, by what the server was at any time from then on, and the time of
/// the device becomes that one. After a loss, the time until the next attempt passes at once.
struct ExplorationState {
  enum Step: Hashable, CaseIterable { case edit, editOther, push, pull }

  var world: World
  /// What the server was since the earlier of the devices' times.
  var past: [MemoryServer] = []
  /// The times of the devices, as versions of the server.
  var times: [Int64]
  var active: Int?
  var left: [Set<Step>]
  var losses: [Int]

  init(_ world: World, _ left: [Set<Step>], losses: [Int]) {
    (self.world, self.left, self.losses) = (world, left, losses)
    times = [world.server.version, world.server.version]
  }

  static func value(_ step: Step, _ device: Int) -> SyncValue { .plain(.text("\(step) of \(device)")) }

  func next() throws -> [ExplorationState] {
    if let active { return try next(active) }
    return try next(0) + next(1)
  }

  private func isFinished(_ device: Int) -> Bool {
    left[device].isEmpty && !world.messages.contains { $0.device == device }
  }

  /// The device takes a step that the other one does not see.
  private func stepping(_ device: Int, _ step: (inout ExplorationState) throws -> Void) rethrows -> ExplorationState {
    var next = self
    next.active = device
    try step(&next)
    for (index, message) in next.world.messages.enumerated() where message.device == device {
      // What was sent now was sent at the device's time.
      guard case .request(_, let action, let since) = message, since > next.times[device] else { continue }
      next.world.messages[index] = .request(device: device, action, since: next.times[device])
    }
    if next.isFinished(device) { (next.active, next.times[device]) = (nil, .max) }
    next.forgetPast()
    return next
  }

  private func next(_ device: Int) throws -> [ExplorationState] {
    var result: [ExplorationState] = []
    for step in Step.allCases where left[device].contains(step) {
      result.append(
        try stepping(device) { next in
          next.left[device].remove(step)
          switch step {
          case .edit, .editOther:
            let value = Self.value(step, device)
            next.world.commit(on: device) { $0.edit(RowID(0, 1), step == .edit ? 0 : 1, value) }
          case .push: try next.world.send(.changed, to: device)
          case .pull: try next.world.send(.poll, to: device)
          }
        })
    }
    for index in world.messages.indices where world.messages[index].device == device {
      result += try deliveries(index, device)
      if losses[device] == 0 { continue }
      result.append(
        try stepping(device) { next in
          next.losses[device] -= 1
          try next.world.lose(index)
          while try next.world.wake() {}
        })
    }
    return result
  }

  private func deliveries(_ index: Int, _ device: Int) throws -> [ExplorationState] {
    guard case .request(_, let action, let since) = world.messages[index] else {
      return [try stepping(device) { try $0.world.deliver(index) }]
    }
    if case .push = action { return [try takingEffect(index, device)] }
    return try (past.filter { $0.version >= since } + [world.server]).map { server in
      try stepping(device) { next in
        next.times[device] = max(next.times[device], server.version)
        try next.world.deliver(index, from: server)
        try next.world.deliver(next.world.messages.count - 1)
      }
    }
  }

  private func takingEffect(_ index: Int, _ device: Int) throws -> ExplorationState {
    var next = self
    try next.world.deliver(index)
    if next.world.server.version != world.server.version { next.past.append(world.server) }
    next.times[device] = next.world.server.version
    next.active = nil
    next.forgetPast()
    return next
  }

  private mutating func forgetPast() {
    let oldest = times.min() ?? .max
    past.removeAll { $0.version < oldest }
  }
}

extension Set<ExplorationState.Step> {
  static let all = Set(ExplorationState.Step.allCases)
}
