internal import Foundation
package import Persistence

/// Translates between the classes and key paths of an app and the numbers of the machine.
package struct RemoteTranslation: Sendable {
  package let tables: SyncedTables
  private let numbers: [ObjectIdentifier: Int]

  package init(_ tables: SyncedTables) {
    self.tables = tables
    numbers = Dictionary(
      tables.types.enumerated().map { (ObjectIdentifier($1), $0) }, uniquingKeysWith: { first, _ in first })
  }

  func page(_ page: SyncPage) throws(SyncError) -> Page {
    var paths = Paths()
    return Page(
      try page.objects.map { (object) throws(SyncError) in try row(object, &paths) },
      deleted: try page.deleted.map { (key) throws(SyncError) in try name(key) }, position: page.position,
      hasMore: page.hasMore, covers: try page.covers.map { (part) throws(SyncError) in try coverage(part) },
      together: try page.together.map { (part) throws(SyncError) in try coverage(part) })
  }

  package func row(_ object: RemoteObject) throws(SyncError) -> RemoteRow {
    var paths = Paths()
    return try row(object, &paths)
  }

  package func key(_ name: RemoteName) -> RemoteKey { RemoteKey(tables.types[name.entity], name.key) }

  func outcome(_ outcome: SyncOutcome, for change: PushRequest.Change) throws(SyncError) -> Outcome {
    let row = change.row
    if let known = change.key, let other = outcome.key, other != known {
      throw .invalidAnswer(type: tables.tables[row.entity].name, reason: "the answer about \(known) is about \(other)")
    }
    switch outcome {
    case .accepted(nil, nil, _) where change.key == nil && change.kind == .creation:
      throw .invalidAnswer(type: tables.tables[row.entity].name, reason: "an accepted creation has no key")
    case .accepted(let object, let key, let version):
      return .accepted(
        key: try key.map { (key) throws(SyncError) in try self.key(key, of: row.entity) }, version: version,
        try object.map { (object) throws(SyncError) in try self.row(object, as: row.entity) })
    case .conflict(let object):
      return .conflict(try object.map { (object) throws(SyncError) in try self.row(object, as: row.entity) })
    case .rejected(let reason): return .rejected(reason)
    case .missing: return .missing
    case .gone: return .gone
    case .later(let delay): return .failed(.later(delay))
    }
  }

  /// An object that has to be of a class.
  func row(_ object: RemoteObject, as entity: Int) throws(SyncError) -> RemoteRow {
    let row = try self.row(object)
    if row.name.entity != entity {
      throw .invalidAnswer(type: tables.tables[entity].name, reason: "the answer has an object of another class")
    }
    return row
  }

  /// - Parameter replica: What no other store has, unless it is a copy.
  func batch(_ request: PushRequest, from replica: UUID) -> SyncBatch {
    let positions = Dictionary(
      request.changes.enumerated().filter { $1.kind == .creation }.map { ($1.row, $0) },
      uniquingKeysWith: { first, _ in first })
    let changes = request.changes.map { change in
      SyncChange(
        change, of: tables.types[change.row.entity], in: tables.tables[change.row.entity],
        idempotencyKey: replica.identifying(request.push, change.index), isRepeated: request.isRepeated
      ) { positions[$0] }
    }
    return SyncBatch(changes: changes, request: request)
  }

  /// Why the values of a change cannot be sent. Nil if they can.
  func unreadable(in change: PushRequest.Change) -> String? {
    for (column, value) in zip(tables.tables[change.row.entity].columns, change.fields.values) {
      guard case .plain(let value)? = value, column.target == nil, !column.isReadable(value) else { continue }
      return "\(column.property) has a value that this version of the app cannot read"
    }
    return nil
  }

  func command(_ command: StoredCommand, from replica: UUID) -> SyncCommandRequest {
    // No change has this index.
    SyncCommandRequest(
      name: command.name, payload: command.payload, keys: command.names.map(key),
      idempotencyKey: replica.identifying(command.id, -1), isRepeated: command.isRepeated)
  }

  // The rows of a page usually have the same key paths.
  private struct Paths { var indexes: [ObjectIdentifier: Int] = [:] }

  private func row(_ object: RemoteObject, _ paths: inout Paths) throws(SyncError) -> RemoteRow {
    let name = try name(object.name)
    let table = tables.tables[name.entity]
    var fields = Fields(count: table.columns.count)
    for assignment in object.values {
      let index = try self.index(of: assignment.property, in: table, &paths)
      if case .unstorable(let reason) = assignment.value {
        throw .invalidAnswer(type: table.name, reason: "\(table.columns[index].property) \(reason)")
      }
      if let keys = assignment.members, let target = table.columns[index].target {
        let members = try keys.map { (key) throws(SyncError) in SyncValue.key(try self.key(key, of: target)) }
        fields[index] = .list(SyncList(members, isOrdered: table.columns[index].list?.isOrdered ?? false))
      } else if let target = table.columns[index].target, assignment.isLink, assignment.value != .null {
        fields[index] = .key(try key(SyncKey(assignment.value), of: target))
      } else {
        fields[index] = .plain(assignment.value)
      }
    }
    return RemoteRow(name, version: object.version, fields)
  }

  private func index(
    of property: RemoteAssignment.Property, in table: SyncedTables.Table, _ paths: inout Paths
  ) throws(SyncError) -> Int {
    switch property {
    case .column(let index): return index
    case .path(let path):
      if let known = paths.indexes[ObjectIdentifier(path)] { return known }
      let index = try index(of: path, in: table)
      paths.indexes[ObjectIdentifier(path)] = index
      return index
    }
  }

  private func index(of path: AnyKeyPath, in table: SyncedTables.Table) throws(SyncError) -> Int {
    if let index = table.index(of: path) { return index }
    let property = table.property(path)
    let reason =
      property == table.key.property
      ? "its key is set with the other attributes" : "\(property ?? "\(path)") is not synchronized"
    throw .invalidAnswer(type: table.name, reason: reason)
  }

  package func name(_ key: RemoteKey) throws(SyncError) -> RemoteName {
    let entity = try entity(key.type)
    return RemoteName(entity, try self.key(key.key, of: entity))
  }

  package func entity(_ type: ManagedObject.Type) throws(SyncError) -> Int {
    if let number = numbers[ObjectIdentifier(type)] { return number }
    throw .invalidAnswer(type: "\(type)", reason: "the class is not synchronized")
  }

  private func key(_ key: SyncKey, of entity: Int) throws(SyncError) -> SyncKey {
    let table = tables.tables[entity]
    let isOfClass =
      switch key.value {
      case .integer: table.keyStorage == .integer
      case .text: table.keyStorage == .text
      case .blob: table.keyStorage == .blob
      default: false
      }
    if isOfClass { return key }
    throw .invalidAnswer(type: table.name, reason: "the key \(key) does not have the type of \(table.key.property)")
  }

  private func coverage(_ part: SyncCoverage) throws(SyncError) -> Coverage {
    let entity = try entity(part.type)
    let table = tables.tables[entity]
    var owner: Coverage.Owner?
    if let (path, key) = part.owner {
      let attribute = try index(of: path, in: table)
      guard let target = table.columns[attribute].target, table.columns[attribute].list == nil else {
        throw .invalidAnswer(
          type: table.name, reason: "\(table.columns[attribute].property) is no to-one relationship")
      }
      owner = Coverage.Owner(attribute: attribute, key: try self.key(key, of: target))
    }
    return Coverage(
      of: entity, owner: owner, from: try part.first.map { (key) throws(SyncError) in try self.key(key, of: entity) },
      to: try part.last.map { (key) throws(SyncError) in try self.key(key, of: entity) })
  }
}

extension SyncOutcome {
  /// The key that an answer names.
  fileprivate var key: SyncKey? {
    switch self {
    case .accepted(let object, let key, _): key ?? object?.key.key
    case .conflict(let object): object?.key.key
    case .rejected, .missing, .later, .gone: nil
    }
  }
}

extension UUID {
  /// A UUID of version 8 for a change of a store. It is the same each time, and that of no other change.
  fileprivate func identifying(_ push: Int64, _ index: Int) -> UUID {
    var bytes = uuid
    withUnsafeMutableBytes(of: &bytes) { bytes in
      for shift in 0..<8 {
        bytes[shift] ^= UInt8(truncatingIfNeeded: push >> (8 * shift))
        bytes[15 - shift] ^= UInt8(truncatingIfNeeded: index >> (8 * shift))
      }
      bytes[6] = bytes[6] & 0x0F | 0x80
      bytes[8] = bytes[8] & 0x3F | 0x80
    }
    return UUID(uuid: bytes)
  }
}
