internal import Foundation
internal import Persistence
package import SyncKit

/// An API with a table for each class, in memory, with what an API can and cannot do.
package struct MemoryServer: Hashable, Sendable {
  package struct Abilities: Hashable, Sendable {
    package var remote = RemoteCapabilities()
    /// Whether an answer to a push contains the row.
    package var answersWithRows = true
    package var listing = Listing.whole
    /// Whether the server writes the second attribute in a form of its own.
    package var changesValues = false
    /// Whether reads may be answered from what was there before.
    package var lags = false
    /// Whether the pages of a listing without coverage say that together they have all rows.
    package var listsTogether = false
    /// Whether rows are called by what they are, so that two devices make the same key.
    package var hasNaturalKeys = false
    /// Whether members are added to a set and removed one by one.
    package var addsMembers = false

    package init() {}
  }

  /// What a page contains.
  package enum Listing: Hashable, Sendable {
    /// All rows.
    case whole
    /// The changes since a position, at most so many.
    case log(Int)
    /// So many rows from an offset on. Rows move while they are read, so no page covers anything.
    case shifting(Int)
    /// So many rows of a class after a key.
    case byKey(Int)
    /// First all rows without an owner, then those of each owner.
    case byOwner
  }

  package struct Row: Hashable, Sendable {
    package var fields: Fields
    package var version: Int64
  }

  /// What the server makes of its numbers to call rows.
  package enum KeyForm: Hashable, Sendable { case integer, text, uuid }

  /// A row of a device, in a push.
  package struct Origin: Hashable, Sendable {
    package var row: RowID
    /// In a simulation, the number of the push contains the number of the replica.
    package var push: Int64

    package init(row: RowID, push: Int64) { (self.row, self.push) = (row, push) }

    package var creation: Creation { Creation(row: row, replica: push / 1_000_000) }
  }

  package struct Creation: Hashable, Sendable {
    package var row: RowID
    package var replica: Int64

    package init(row: RowID, replica: Int64) { (self.row, self.replica) = (row, replica) }
  }

  package let model: SyncModel
  package let abilities: Abilities
  /// The form of the keys of each class.
  let keyForms: [KeyForm]
  package var rows: [RemoteName: Row] = [:]
  /// When each row was last changed or deleted.
  private(set) var stamps: [RemoteName: Int64] = [:]
  private var nextKey: Int64 = 1
  package private(set) var version: Int64 = 0
  package var outcomes: [Origin: Outcome] = [:]
  /// How many rows were made of each row of a device.
  package var creations: [Creation: Int] = [:]
  var origins: [RemoteName: Origin] = [:]
  /// All values that a row ever had, in their order.
  package private(set) var history: [RemoteName: [[SyncValue]]] = [:]
  private(set) var erased: Set<RemoteName> = []
  /// Replicas that began again with an older store: what one sent since, it may make again under another number.
  package var restored: Set<Int64> = []
  /// How often each command was performed, and the commands in the order in which they were.
  package private(set) var performed: [Int64: Int] = [:]
  package private(set) var commands: [StoredCommand] = []
  /// What no device may send.
  package var faults: [String] = []

  package init(_ model: SyncModel, _ abilities: Abilities, keys: [KeyForm]? = nil) {
    (self.model, self.abilities) = (model, abilities)
    keyForms = keys ?? model.classes.map { _ in .integer }
  }

  package var names: [RemoteName] { rows.keys.sorted() }

  package mutating func change(_ name: RemoteName, _ change: (inout Fields) -> Void) {
    guard var row = rows[name] else { return }
    change(&row.fields)
    write(name, row.fields)
  }

  package mutating func insert(_ fields: Fields, in entity: Int) -> RemoteName {
    let name = RemoteName(entity, takeKey(in: entity))
    write(name, fields)
    return name
  }

  package mutating func takeKey(in entity: Int) -> SyncKey {
    // One that was given may be the next one.
    while !abilities.hasNaturalKeys, history[RemoteName(entity, nextKey(in: entity))] != nil { nextKey += 1 }
    defer { nextKey += 1 }
    return nextKey(in: entity)
  }

  private func nextKey(in entity: Int) -> SyncKey {
    switch keyForms[entity] {
    case .integer: SyncKey(.integer(nextKey))
    case .text: SyncKey(.text("k\(nextKey)"))
    case .uuid:
      SyncKey(.blob(Data((0..<16).map { $0 < 8 ? 0 : UInt8(truncatingIfNeeded: nextKey >> (8 * (15 - $0))) })))
    }
  }

  /// Rows that refer to it lose the reference.
  package mutating func delete(_ name: RemoteName) {
    guard rows.removeValue(forKey: name) != nil else { return }
    note(name)
    for other in names {
      for (index, attribute) in model.classes[other.entity].attributes.enumerated()
      where attribute.target == name.entity {
        guard let value = rows[other]?.fields[index], value.references.contains(.key(name.key)) else { continue }
        change(other) { $0[index] = value.replacing(.key(name.key), by: .null) }
      }
    }
  }

  package mutating func erase(_ name: RemoteName) {
    delete(name)
    erased.insert(name)
  }

  package mutating func write(_ name: RemoteName, _ fields: Fields) {
    version += 1
    remember(name, fields)
    var fields = fields
    if abilities.changesValues, case .plain(.text(let text))? = fields[1], !text.hasSuffix("'") {
      fields[1] = .plain(.text(text + "'"))
      remember(name, fields)
    }
    rows[name] = Row(fields: fields, version: version)
    note(name)
  }

  private mutating func remember(_ name: RemoteName, _ fields: Fields) {
    var all = history[name] ?? Array(repeating: [], count: fields.values.count)
    for (index, value) in fields.values.enumerated() {
      if let value, all[index].last != value { all[index].append(value) }
    }
    history[name] = all
  }

  private mutating func note(_ name: RemoteName) {
    version += 1
    stamps[name] = version
  }

  mutating func note(_ command: StoredCommand) {
    performed[command.id, default: 0] += 1
    commands.append(command)
  }

  /// The rows of a device that are here more often than they were made there.
  ///
  /// A row whose creation had no answer may have been deleted since by another program. Only a server that remembers
  /// what it has answered does not make it again then.
  package var doubles: [Creation] {
    if model.classes.allSatisfy({ $0.settling == .idempotencyKey }) {
      return creations.filter { $0.value > 1 && !restored.contains($0.key.replica) }.map(\.key)
    }
    var counts: [Creation: Int] = [:]
    for (name, origin) in origins where rows[name] != nil { counts[origin.creation, default: 0] += 1 }
    return counts.filter { $0.value > 1 && !restored.contains($0.key.replica) }.map(\.key)
  }

  package func find(_ origin: Origin) -> RemoteRow? {
    origins.first { $0.value == origin }.flatMap { remoteRow($0.key) }
  }
}

extension RemoteName: Comparable {
  package static func < (first: RemoteName, second: RemoteName) -> Bool {
    (first.entity, first.key) < (second.entity, second.key)
  }
}
