import SyncKit

/// Devices, a server, and the messages between them.
struct World: Hashable {
  struct Device: Hashable {
    var store: MemoryStore
    var machine: SyncMachine
    var wakes: Set<Int64> = []
  }

  enum Message: Hashable {
    case request(device: Int, SyncAction)
    case answer(device: Int, SyncEvent, of: SyncAction)

    /// Whether it is on its way to the server.
    var isRequest: Bool { if case .request = self { true } else { false } }

    var device: Int {
      switch self {
      case .request(let device, _), .answer(let device, _, _): device
      }
    }
  }

  var server: MemoryServer
  var devices: [Device]
  var messages: [Message] = []
  var now: Int64 = 0
  /// Whether the server rejects rows whose title ends in 7.
  var isRejecting = false

  init(_ model: SyncModel, _ abilities: MemoryServer.Abilities, devices: Int) {
    server = MemoryServer(model, abilities)
    self.devices = (0..<devices).map { number in
      Device(
        store: MemoryStore(model, replica: Int64(number + 1)),
        machine: SyncMachine(model, abilities.remote, scopes: ["all"]))
    }
  }

  mutating func send(_ event: SyncEvent, to device: Int) throws {
    var (machine, store) = (devices[device].machine, devices[device].store)
    let actions = try machine.handle(event, at: now, &store)
    (devices[device].machine, devices[device].store) = (machine, store)
    for action in actions {
      if case .wake(let time) = action {
        devices[device].wakes.insert(time)
      } else {
        messages.append(.request(device: device, action))
      }
    }
  }

  /// A message arrives: a request takes effect, or an answer is received.
  mutating func deliver(_ index: Int) throws {
    switch messages.remove(at: index) {
    case .answer(let device, let event, let action):
      try send(event, to: device)
      if case .push(let request) = action { try send(.ended(push: request.push, nil), to: device) }
    case .request(let device, let action):
      guard let answer = answer(to: action, from: device) else { return }
      messages.append(.answer(device: device, answer, of: action))
    }
  }

  /// A message is lost, and the device does not learn whether the request took effect.
  mutating func lose(_ index: Int) throws {
    let message = messages.remove(at: index)
    switch message {
    case .answer(let device, _, let action), .request(let device, let action):
      switch action {
      case .pull(let request, _, _), .fetch(let request, _):
        try send(.failed(request: request, .unknown), to: device)
      case .push(let request), .find(let request): try send(.ended(push: request.push, .unknown), to: device)
      case .wake: return
      }
    }
  }

  private mutating func answer(to action: SyncAction, from device: Int) -> SyncEvent? {
    switch action {
    case .pull(let request, _, let position): return .pulled(request: request, server.page(after: position))
    case .fetch(let request, let names):
      let (rows, missing) = server.fetch(names)
      return .fetched(request: request, rows: rows, missing: missing)
    case .push(let request):
      return .recorded(push: request.push, server.push(request, from: device, isRejecting: isRejecting))
    case .find(let request):
      var rows: [RowID: RemoteRow] = [:]
      for change in request.changes {
        rows[change.row] = server.find(MemoryServer.Origin(device: device, row: change.row, push: request.push))
      }
      return .found(push: request.push, of: request.changes.map(\.row), rows)
    case .wake: return nil
    }
  }

  /// The process ends, with everything that was in flight. What the server has received takes effect.
  mutating func restart(_ device: Int) throws {
    messages.removeAll { $0.device == device }
    devices[device].machine = SyncMachine(
      devices[device].machine.model, devices[device].machine.capabilities, scopes: devices[device].machine.scopes)
    devices[device].wakes = []
    try send(.started, to: device)
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
      for device in devices.indices { try send(.poll, to: device) }
      while try !messages.isEmpty || wake() {
        while !messages.isEmpty {
          deliveries += 1
          if deliveries > 10_000 { return false }
          try deliver(0)
        }
      }
      if before.0 == server.rows, before.1 == devices.map(\.store.rows) { return true }
    }
    return false
  }
}
