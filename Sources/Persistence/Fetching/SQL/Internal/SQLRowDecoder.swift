internal import CLarderSQLite
internal import Foundation

/// Decodes the rows of a statement, one after the other.
///
/// Nearly every type asks for the same keys in the same order for each row. Columns are therefore looked up by name for
/// the first row. For the others it is enough to compare each key with the one at its place in that order.
final class SQLRowDecoder: Decoder {
  /// A key that was asked for, and the column of that name.
  private struct Lookup {
    let name: String
    let column: Int32
    /// The last type that was decoded, and how.
    var type: ObjectIdentifier?
    var attribute: (any AttributeValue.Type)?
  }

  // Owned, and without a statement after the last row: a row's type may keep the decoder.
  private let cursor: UnsafeMutablePointer<RowCursor>
  private let sql: String
  private var statement: Statement?
  /// The current row, or -1 before the first.
  @exclusivity(unchecked) private(set) var row = -1
  private(set) var names: [String] = []
  @exclusivity(unchecked) private var lookups: ContiguousArray<Lookup> = []
  @exclusivity(unchecked) private var next = 0
  /// The last container, which is the same for all rows.
  @exclusivity(unchecked) private var container: (type: ObjectIdentifier, box: AnyObject)?

  init(_ statement: Statement) {
    cursor = .allocate(capacity: 1)
    cursor.initialize(to: RowCursor(.row, statement: statement.handle))
    sql = statement.sql
    self.statement = statement
  }

  deinit {
    cursor.deinitialize(count: 1)
    cursor.deallocate()
  }

  /// Called at the first row: only then are the columns those of the current tables.
  func begin(expecting columns: Int?) throws(PersistenceError) {
    names = statement?.columnNames ?? []
    if let columns, columns != names.count {
      throw failure(.missingColumn, "the result has \(names.count) columns, and a row has \(columns)")
    }
  }

  func nextRow() {
    row += 1
    next = 0
  }

  func end() {
    cursor.pointee.statement = nil
    statement = nil
    // The container refers to this decoder.
    container = nil
  }

  // Columns

  private func lookup(_ key: some CodingKey) -> Int {
    let name = key.stringValue
    let index = next
    if index < lookups.count, lookups[index].name == name {
      next = index &+ 1
      return index
    }
    return find(name)
  }

  private func find(_ name: String) -> Int {
    if let known = lookups.firstIndex(where: { $0.name == name }) {
      next = known + 1
      return known
    }
    // `\(\Movie.price)` is the column of sort keys.
    let index = names.firstIndex(of: name) ?? names.firstIndex(of: SQL.sortKey(of: name))
    lookups.append(Lookup(name: name, column: index.map { Int32($0) } ?? -1))
    next = lookups.count
    return lookups.count - 1
  }

  func has(_ key: some CodingKey) -> Bool { lookups[lookup(key)].column >= 0 }

  func column(_ key: some CodingKey) throws -> Int32 {
    let found = lookup(key)
    let column = lookups[found].column
    if column < 0 { throw missing(lookups[found].name) }
    return column
  }

  /// Returns nil if the column does not exist or contains null.
  func columnIfPresent(_ key: some CodingKey) -> Int32? {
    let column = lookups[lookup(key)].column
    return column < 0 || isNull(column) ? nil : column
  }

  func isNull(_ column: Int32) -> Bool { sqlite3_column_type(cursor.pointee.statement, column) == SQLITE_NULL }

  // Values

  private func reader(_ column: Int32) -> ColumnReader {
    cursor.pointee.column = column
    return ColumnReader(cursor)
  }

  func attribute<Value: AttributeValue>(_ type: Value.Type, at column: Int32) throws -> Value {
    if let value = Value.read(reader(column)) { return value }
    throw invalid(column, type)
  }

  func integer<Value: FixedWidthInteger>(_ type: Value.Type, at column: Int32) throws -> Value {
    if let integer = reader(column).integer(), let value = Value(exactly: integer) { return value }
    throw invalid(column, type)
  }

  func double(at column: Int32) throws -> Double {
    if let value = reader(column).real() { return value }
    throw invalid(column, Double.self)
  }

  func string(at column: Int32) throws -> String {
    if let value = reader(column).text() { return value }
    throw invalid(column, String.self)
  }

  /// Decodes a value of `type`, which is the same type as `Value`.
  func value<Value>(_ type: any AttributeValue.Type, as: Value.Type, at column: Int32) throws -> Value {
    try value(opening: type, as: Value.self, at: column)
  }

  private func value<Known: AttributeValue, Value>(
    opening type: Known.Type, as: Value.Type, at column: Int32
  ) throws -> Value {
    let known = try attribute(type, at: column)
    // A cast that always succeeds, and would otherwise look both types up for each value.
    return withUnsafePointer(to: known) { UnsafeRawPointer($0).assumingMemoryBound(to: Value.self).pointee }
  }

  func value<Value: Decodable>(_ type: Value.Type, for key: some CodingKey) throws -> Value {
    let index = lookup(key)
    if lookups[index].column < 0 { throw missing(lookups[index].name) }
    return try value(type, at: index)
  }

  func valueIfPresent<Value: Decodable>(_ type: Value.Type, for key: some CodingKey) throws -> Value? {
    let index = lookup(key)
    let column = lookups[index].column
    return column < 0 || isNull(column) ? nil : try value(type, at: index)
  }

  private func value<Value: Decodable>(_ type: Value.Type, at index: Int) throws -> Value {
    if lookups[index].type != ObjectIdentifier(type) {
      lookups[index].type = ObjectIdentifier(type)
      lookups[index].attribute = type as? any AttributeValue.Type
    }
    let column = lookups[index].column
    if let attribute = lookups[index].attribute { return try value(attribute, as: type, at: column) }
    return try decoded(type, at: column)
  }

  /// Decodes a type of one column.
  func value<Value: Decodable>(_ type: Value.Type, inColumn column: Int32) throws -> Value {
    if let attribute = type as? any AttributeValue.Type { return try value(attribute, as: type, at: column) }
    return try decoded(type, at: column)
  }

  private func decoded<Value: Decodable>(_ type: Value.Type, at column: Int32) throws -> Value {
    do {
      return try type.init(from: SQLColumnDecoder(self, column))
    } catch is DecodingError {
      throw invalid(column, type)
    }
  }

  // Errors

  func failure(_ reason: SQLQueryFailure.Reason, _ message: String, column: Int32 = -1) -> PersistenceError {
    let name = names.indices.contains(Int(column)) ? names[Int(column)] : nil
    return .queryFailed(SQLQueryFailure(reason, message, sql: sql, column: name, row: row < 0 ? nil : row))
  }

  /// The error for one that a row's own `init(from:)` threw, with its keys only: its description may contain values.
  func failure(of error: DecodingError) -> PersistenceError {
    var (path, missing): ([any CodingKey], (any CodingKey)?) = ([], nil)
    switch error {
    case .keyNotFound(let key, let context): (path, missing) = (context.codingPath, key)
    case .valueNotFound(_, let context), .typeMismatch(_, let context), .dataCorrupted(let context):
      path = context.codingPath
    @unknown default: break
    }
    let keys = (path + [missing].compactMap { $0 }).map(\.stringValue).joined(separator: ".")
    let detail = keys.isEmpty ? "" : ": it failed at \(keys)"
    return failure(.invalidValue, "the row's type cannot be decoded from these columns\(detail)")
  }

  func unsupported(_ column: Int32 = -1) -> PersistenceError {
    failure(.unsupportedType, "a row has one value in each column, and no nested values", column: column)
  }

  private func missing(_ name: String) -> PersistenceError {
    let text = "the result has no column \(name): its columns are \(names.joined(separator: ", "))"
    return .queryFailed(SQLQueryFailure(.missingColumn, text, sql: sql, column: name, row: row))
  }

  private func invalid(_ column: Int32, _ type: Any.Type) -> PersistenceError {
    let text = isNull(column) ? "null is not of the type \(type)" : "the value is not of the type \(type)"
    return failure(.invalidValue, text, column: column)
  }

  // Decoder

  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  private final class Box<Key: CodingKey> {
    let container: KeyedDecodingContainer<Key>
    init(_ container: KeyedDecodingContainer<Key>) { self.container = container }
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    // The type says which box it is.
    if let container, container.type == ObjectIdentifier(type) {
      return unsafeDowncast(container.box, to: Box<Key>.self).container
    }
    let new = KeyedDecodingContainer(SQLRowContainer<Key>(row: self))
    container = (ObjectIdentifier(type), Box(new))
    return new
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw unsupported() }

  func singleValueContainer() throws -> any SingleValueDecodingContainer { SQLColumnDecoder(self, 0) }
}

/// Decodes a type whose values are in one column.
struct SQLColumnDecoder: Decoder, SingleValueDecodingContainer {
  private let row: SQLRowDecoder
  private let column: Int32

  init(_ row: SQLRowDecoder, _ column: Int32) {
    self.row = row
    self.column = column
  }

  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    throw row.unsupported(column)
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw row.unsupported(column) }

  func singleValueContainer() throws -> any SingleValueDecodingContainer { self }

  func decodeNil() -> Bool { row.isNull(column) }

  func decode(_ type: Int64.Type) throws -> Int64 { try row.integer(type, at: column) }
  func decode(_ type: Int.Type) throws -> Int { try row.integer(type, at: column) }
  func decode(_ type: String.Type) throws -> String { try row.string(at: column) }
  // Also meets the requirements for the other primitive types.
  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try row.value(type, inColumn: column) }
}
