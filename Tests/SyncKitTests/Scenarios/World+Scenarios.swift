import Persistence
import SyncKit
import SyncTesting

/// What scenarios are told with: lists and items, changed by name.
extension World {
  init(
    _ settling: CreationSettling = .idempotencyKey, devices: Int = 1,
    _ change: (inout MemoryServer.Abilities) -> Void = { _ in }
  ) throws {
    var abilities = MemoryServer.Abilities()
    abilities.remote.batch = .many(100)
    change(&abilities)
    self.init(Simulation.model(settling), abilities, devices: devices)
  }

  static func fields(_ title: String, _ text: String = "", of list: RowID? = nil) -> Fields {
    Fields([.plain(.text(title)), .plain(.text(text)), list.map { .object($0.id) } ?? .null])
  }

  /// Commits changes whose rows are tied, and notifies the machine.
  @discardableResult
  mutating func save(on device: Int = 0, _ change: (inout MemoryStore) -> [RowID]) throws -> [RowID] {
    let rows = commit(on: device) { store in
      let rows = change(&store)
      store.tie(rows)
      return rows
    }
    try send(.changed, to: device)
    return rows
  }

  @discardableResult
  mutating func insert(_ title: String, of list: RowID? = nil, on device: Int = 0) throws -> RowID {
    let entity = list == nil ? Simulation.lists : Simulation.items
    return try save(on: device) { [$0.insert(Self.fields(title, of: list), in: entity)] }[0]
  }

  mutating func edit(_ row: RowID, _ text: String, in attribute: Int = 0, on device: Int = 0) throws {
    try save(on: device) { store in
      store.edit(row, attribute, .plain(.text(text)))
      return [row]
    }
  }

  mutating func delete(_ row: RowID, on device: Int = 0) throws {
    judge.deleted(row, devices[device].store.rows[row]?.key, by: devices[device].store.replica)
    try save(on: device) { store in
      store.delete(row)
      return [row]
    }
  }

  mutating func insertThere(_ title: String, of list: RemoteName? = nil) -> RemoteName {
    let fields = Fields([.plain(.text(title)), .plain(.text("")), list.map { .key($0.key) } ?? .null])
    return server.insert(fields, in: list == nil ? Simulation.lists : Simulation.items)
  }

  mutating func editThere(_ name: RemoteName, _ text: String, in attribute: Int = 0) {
    server.change(name) { $0[attribute] = .plain(.text(text)) }
  }

  /// Delivers messages until none is left. No time passes.
  mutating func deliverAll() throws { while !messages.isEmpty { try deliver(0) } }

  /// Looks for changes of the server.
  mutating func poll(_ device: Int = 0) throws {
    try send(.poll, to: device)
    try deliverAll()
  }

  func row(_ id: RowID, on device: Int = 0) -> SyncRow? { devices[device].store.rows[id] }

  /// The row with a title on a device.
  func find(_ title: String, on device: Int = 0) -> SyncRow? {
    devices[device].store.rows.values.first { $0.now?[0] == .plain(.text(title)) }
  }

  var titlesThere: [String] { server.names.compactMap { server.rows[$0]?.fields[0]?.description } }

  var reports: [ConflictReport.Kind] { devices[0].store.reports.map(\.kind) }

  /// The pushes on their way to the server.
  var pushes: [PushRequest] {
    messages.compactMap { if case .request(_, .push(let request), _) = $0 { request } else { nil } }
  }

  func index(where isWanted: (SyncAction) -> Bool) -> Int? { messages.firstIndex { isWanted($0.action) } }
}

extension SyncAction {
  var isPush: Bool { if case .push = self { true } else { false } }
  var isPull: Bool { if case .pull = self { true } else { false } }
  var isFind: Bool { if case .find = self { true } else { false } }
}

extension SyncValue {
  static func text(_ text: String) -> SyncValue { .plain(.text(text)) }
}
