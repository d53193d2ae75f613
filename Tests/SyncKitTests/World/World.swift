import SyncKit
import SyncTesting

/// Devices, a server, and the messages between them.
struct World: Hashable {
  struct Device: Hashable {
    var store: MemoryStore
    var machine: SyncMachine
    var wakes: Set<Int64> = []
    /// An older copy of the store.
    var copy: MemoryStore?
    /// What a kill leaves of the store, if that is not the last commit.
    var remains: MemoryStore?
  }

  enum Message: Hashable {
    /// - Parameter since: The server's version when it was sent.
    case request(device: Int, SyncAction, since: Int64)
    case answer(device: Int, SyncEvent, of: SyncAction)

    /// Whether it is on its way to the server.
    var isRequest: Bool { if case .request = self { true } else { false } }

    var device: Int {
      switch self {
      case .request(let device, _, _), .answer(let device, _, _): device
      }
    }

    var action: SyncAction {
      switch self {
      case .request(_, let action, _), .answer(_, _, let action): action
      }
    }
  }

  var server: MemoryServer
  /// What the server was before its last changes, if reads may see that.
  var past: [MemoryServer] = []
  var devices: [Device]
  var messages: [Message] = []
  var now: Int64 = 0
  /// Whether the server rejects rows with a poisonous value.
  var isRejecting = false
  var judge = Judge()
  var removed: Set<SyncGuard> = []

  init(
    _ model: SyncModel, _ abilities: MemoryServer.Abilities, devices: Int, without removed: Set<SyncGuard> = []
  ) {
    server = MemoryServer(model, abilities)
    self.removed = removed
    self.devices = (0..<devices).map { number in
      var store = MemoryStore(model, replica: Int64(number + 1))
      store.hasNaturalKeys = abilities.hasNaturalKeys
      var machine = SyncMachine(model, abilities.remote, scopes: ["all"])
      (store.removed, machine.removed) = (removed, removed)
      return Device(store: store, machine: machine)
    }
  }

  mutating func send(_ event: SyncEvent, to device: Int) throws {
    var (machine, store) = (devices[device].machine, devices[device].store)
    store.touched = []
    let actions = try machine.handle(event, at: now, &store)
    devices[device].remains = removed.contains(.recordBeforeRequest) ? devices[device].store : nil
    if removed.contains(.positionWithRows), case .pulled = event {
      devices[device].remains = devices[device].store
      devices[device].remains?.setPosition(store.position(of: "all"), of: "all")
    }
    judge.look(at: store.commands, before: devices[device].store.commands, in: store)
    (devices[device].machine, devices[device].store) = (machine, store)
    if case .recorded(let push, let outcomes) = event { judge.recorded(outcomes, in: push) }
    judge.look(at: store, of: device, server)
    for action in actions {
      if case .wake(let time) = action {
        devices[device].wakes.insert(time)
      } else {
        if case .push(let request) = action { judge.sent(request, by: store.replica) }
        if case .perform(let request) = action { judge.sent(request, from: store, server) }
        messages.append(.request(device: device, action, since: server.version))
      }
    }
  }

  /// The app changes something, in a transaction of its own.
  mutating func commit<Result>(on device: Int, _ change: (inout MemoryStore) -> Result) -> Result {
    devices[device].remains = nil
    return change(&devices[device].store)
  }

  /// A message arrives: a request takes effect, or an answer is received.
  ///
  /// - Parameter old: What a read is answered from, if that is not what the server has now.
  mutating func deliver(_ index: Int, from old: MemoryServer? = nil) throws {
    switch messages.remove(at: index) {
    case .answer(let device, let event, let action):
      try send(event, to: device)
      if case .push(let request) = action { try send(.ended(push: request.push, nil), to: device) }
    case .request(let device, let action, _):
      guard let answer = answer(to: action, of: device, from: old) else { return }
      messages.append(.answer(device: device, answer, of: action))
    }
  }

  /// One outcome of an answer to a push is recorded, and the others are not yet.
  mutating func deliverPart(of index: Int) throws {
    guard case .answer(let device, .recorded(let push, var outcomes), let action) = messages[index],
      !server.abilities.remote.batch.isAtomic, outcomes.count > 1, let first = outcomes.min(by: { $0.key < $1.key })
    else { return }
    outcomes[first.key] = nil
    messages[index] = .answer(device: device, .recorded(push: push, outcomes), of: action)
    try send(.recorded(push: push, [first.key: first.value]), to: device)
  }

  /// A message is lost, and the device does not learn whether the request took effect.
  mutating func lose(_ index: Int) throws { try fail(index, .unknown) }

  /// A request fails. If that is known, the server has not received it.
  mutating func fail(_ index: Int, _ failure: RemoteFailure) throws {
    let message = messages.remove(at: index)
    switch message.action {
    case .pull(let request, _, _), .fetch(let request, _):
      try send(.failed(request: request, failure), to: message.device)
    case .push(let request), .find(let request):
      try send(.ended(push: request.push, failure), to: message.device)
    case .perform(let request): try send(.performed(command: request.id, .failed(failure)), to: message.device)
    case .wake: return
    }
  }

  private mutating func answer(to action: SyncAction, of device: Int, from old: MemoryServer?) -> SyncEvent? {
    switch action {
    case .pull(let request, _, let position):
      return .pulled(request: request, (old ?? server).page(after: position))
    case .fetch(let request, let names):
      // A log does not repeat a row that was missing in an answer from what was there before.
      let isLog = if case .log = server.abilities.listing { true } else { false }
      let (rows, missing) = (isLog ? server : old ?? server).fetch(names)
      return .fetched(request: request, rows: rows, missing: missing)
    case .push(let request):
      remember()
      let outcomes = server.push(request, isRejecting: isRejecting)
      judge.answered(outcomes, to: device, server)
      judge.checkGroups(devices, server)
      return .recorded(push: request.push, outcomes)
    case .find(let request):
      var rows: [RowID: RemoteRow] = [:]
      for change in request.changes {
        rows[change.row] = server.find(MemoryServer.Origin(row: change.row, push: request.push))
      }
      return .found(push: request.push, of: request.changes.map(\.row), rows)
    case .perform(let request):
      remember()
      let outcome = server.perform(request, isRejecting: isRejecting)
      judge.performed(request, by: device, server)
      return .performed(command: request.id, outcome)
    case .wake: return nil
    }
  }

  /// Keeps what the server is, before it changes.
  mutating func remember() {
    if !server.abilities.lags { return }
    past.append(server)
    if past.count > 4 { past.removeFirst() }
  }
}
