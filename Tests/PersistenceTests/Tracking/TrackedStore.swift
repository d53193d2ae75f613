import Foundation

@testable import Persistence

/// A record of a base table.
struct BaseRecord: Equatable {
  var kind: Int64
  /// By column.
  var values: [String: StoredValue]

  static let inserted = BaseRecord(kind: 1, values: [:])
  static let unknown = BaseRecord(kind: 2, values: [:])
}

/// What a file has for tracking, read by a connection of its own.
final class TrackedFile {
  let connection: Connection

  init(_ url: URL) throws { connection = try Connection(StorePlace(.file(url)), StoreConfiguration()) }

  /// The records of the class's base table. Those of inserted rows must not have values; those of an unknown base have
  /// some, see ``identities(of:_:)``.
  func base(of name: String) throws -> [Int64: BaseRecord] {
    let statement = try connection.prepare("SELECT * FROM \(BaseTable(of: name, []).name)")
    var records: [Int64: BaseRecord] = [:]
    while try statement.step() {
      // Only now the statement knows what others have made of the table.
      let names = statement.columnNames
      var values = Dictionary(uniqueKeysWithValues: names.enumerated().map { ($1, statement.value(Int32($0))) })
      for name in BaseTable.ownColumns { values[name] = nil }
      let kind = statement.int64(1)
      if kind == 1 { values = values.filter { $0.value != .null } }
      if kind == 2 { values = [:] }
      records[statement.int64(0)] = BaseRecord(kind: kind, values: values)
    }
    return records
  }

  /// The values of a column in the records of an unknown base, by which the rows are known after they were deleted.
  func identities(of name: String, _ column: String) throws -> [String] {
    try rows("SELECT _id,\(SQL.name(column)) FROM \(BaseTable(of: name, []).name) WHERE _kind=2 ORDER BY 1")
  }

  /// The rows of each tie.
  var ties: [[String]] {
    get throws {
      let statement = try connection.prepare("SELECT \"commit\",class||' '||id FROM _larder_tie ORDER BY 1,2")
      var ties: [Int64: [String]] = [:]
      while try statement.step() { ties[statement.int64(0), default: []].append(statement.text(1)) }
      return ties.sorted { $0.key < $1.key }.map(\.value)
    }
  }

  /// The rows of a query, as texts.
  func rows(_ sql: String) throws -> [String] {
    let statement = try connection.prepare(sql)
    var rows: [String] = []
    while try statement.step() {
      rows.append(
        (0..<statement.columns).map { statement.isNull($0) ? "-" : statement.text($0) }.joined(separator: " "))
    }
    return rows
  }

  func clear(_ name: String) throws {
    try connection.execute("DELETE FROM \(BaseTable(of: name, []).name); DELETE FROM _larder_tie")
  }
}

/// An open store and a space of it.
final class TrackedStore {
  let folder: TemporaryStore
  let store: Store
  let space: ObjectSpace
  let file: TrackedFile

  /// Titles without their counter, which stays here, and reviews.
  static let schema = TitleRow.schema.tracking([
    TrackedClass(Title.self, ignoring: [\Title.untouched], independent: [\Title.year]), TrackedClass(Review.self),
  ])

  init(
    _ schema: Schema = TrackedStore.schema, in folder: TemporaryStore? = nil,
    _ configuration: StoreConfiguration = .init()
  ) throws {
    self.folder = try folder ?? TemporaryStore()
    store = try Store(.file(self.folder.file), schema, configuration)
    space = try ObjectSpace(store.access)
    file = try TrackedFile(self.folder.file)
  }

  var base: [Int64: BaseRecord] { get throws { try file.base(of: "Title") } }

  /// Inserts titles with these keys as if they were sent already. Their ids are returned.
  @discardableResult
  func insertTitles(_ keys: Int64...) throws -> [Int64] {
    let ids = try space.persist { objects in
      keys.map { key in
        let title = objects.insert(Title.self)
        (title.remoteID, title.name) = (key, "title \(key)")
        return title.id.rawValue
      }
    }
    try file.clear("Title")
    return ids
  }
}

extension BaseRecord {
  /// The base of a title as `insertTitles` makes it.
  static func title(_ key: Int64, studio: StoredValue = .null) -> BaseRecord {
    BaseRecord(
      kind: 0,
      values: [
        "remoteID": .integer(key), "name": .text("title \(key)"), "rating": .real(1.5), "year": .null,
        "genre": .text("drama"), "studio": studio,
      ])
  }
}
