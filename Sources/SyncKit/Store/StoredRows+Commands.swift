internal import Foundation
internal import Persistence

/// The commands, in the order in which they were enqueued.
extension StoredRows {
  /// Adds a command in the transaction of a `persist` of the app. The store may have no tables yet.
  static func enqueue(_ command: StoredCommand, _ tables: SyncedTables, in space: ObjectSpace) throws {
    // All of them: its idempotency key is made of the name of the replica.
    try create(in: space)
    try space.run(
      "INSERT INTO _larder_sync_command(id,name,payload,queue,state) VALUES(?1,?2,?3,?4,'waiting')",
      [.integer(command.id), .text(command.name), .blob(command.payload), .text(command.queue)])
    try writeRows(of: command, tables, in: space)
  }

  private static func writeRows(of command: StoredCommand, _ tables: SyncedTables, in space: ObjectSpace) throws {
    for (index, row) in command.rows.enumerated() {
      guard let row else { continue }
      let key = index < command.keys.count ? command.keys[index].value : .null
      try space.run(
        "INSERT OR REPLACE INTO _larder_sync_command_row(command,position,class,id,key) VALUES(?1,?2,?3,?4,?5)",
        [.integer(command.id), .integer(Int64(index)), .text(tables.tables[row.entity].name), .integer(row.id), key])
    }
  }

  /// All commands.
  func commands() throws -> [StoredCommand] { try commands("TRUE", []) }

  func nextCommands() throws -> [StoredCommand] {
    try commands("number IN (SELECT min(number) FROM _larder_sync_command GROUP BY queue)", [])
  }

  func command(_ id: Int64) throws -> StoredCommand? { try commands("id=?1", [.integer(id)]).first }

  func commands(after row: RowID) throws -> [StoredCommand] {
    try commands(
      "id IN (SELECT command FROM _larder_sync_command_row WHERE class=?1 AND id=?2)",
      [className(row.entity), .integer(row.id)])
  }

  private func commands(_ condition: String, _ values: [StoredValue]) throws -> [StoredCommand] {
    let found = try space.rows(
      "SELECT id,name,payload,queue,state,detail FROM _larder_sync_command WHERE \(condition) ORDER BY number",
      values)
    return try found.map { record in
      let rows = try space.rows(
        "SELECT class,id,key FROM _larder_sync_command_row WHERE command=?1 ORDER BY position", [record[0]])
      var payload = Data()
      if case .blob(let bytes) = record[2] { payload = bytes }
      var command = StoredCommand(
        id: record[0].number ?? 0, record[1].string ?? "", payload, queue: record[3].string ?? "",
        after: rows.map(rowID))
      command.keys = rows.map { $0[2] }.filter { $0 != .null }.map { SyncKey($0) }
      command.state = StoredCommand.State(record[4].string, record[5])
      return command
    }
  }

  func put(_ command: StoredCommand) throws {
    let (state, detail) = command.state.stored
    try space.run(
      "UPDATE _larder_sync_command SET payload=?2,state=?3,detail=?4 WHERE id=?1",
      [.integer(command.id), .blob(command.payload), .text(state), detail])
    try Self.writeRows(of: command, tables, in: space)
  }

  func removeCommand(_ id: Int64) throws {
    try space.run("DELETE FROM _larder_sync_command WHERE id=?1", [.integer(id)])
    try space.run("DELETE FROM _larder_sync_command_row WHERE command=?1", [.integer(id)])
  }
}

extension StoredCommand.State {
  fileprivate init(_ name: String?, _ detail: StoredValue) {
    switch name {
    case "sending": self = .sending(attempts: Int(detail.number ?? 1))
    case "unconfirmed": self = .unconfirmed
    case "rejected": self = .rejected(reason: detail.string ?? "")
    default: self = .waiting
    }
  }

  fileprivate var stored: (name: String, detail: StoredValue) {
    switch self {
    case .waiting: ("waiting", .null)
    case .sending(let attempts): ("sending", .integer(Int64(attempts)))
    case .unconfirmed: ("unconfirmed", .null)
    case .rejected(let reason): ("rejected", .text(reason))
    }
  }
}
