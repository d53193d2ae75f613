internal import CLarderSQLite
public import Foundation

// One opaque call per value: the C API stays out of client code, and everything around the call is inlined there. Each
// reader consumes a column whether or not it fits. An integer column never silently turns into text.
//
// A column is looked up once, as a `sqlite3_value` that then returns its type and contents. Every call of the
// `sqlite3_column_` family would look it up again and take the connection's mutex. SQLite calls such a value
// unprotected, which makes no difference here: our connections have no mutex (SQLITE_OPEN_NOMUTEX), and a single queue
// uses each of them.

@usableFromInline func _readInteger(_ cursor: UnsafeMutablePointer<RowCursor>) -> Int64? {
  let value = takeValue(cursor)
  return sqlite3_value_type(value) == SQLITE_INTEGER ? sqlite3_value_int64(value) : nil
}

@usableFromInline func _readReal(_ cursor: UnsafeMutablePointer<RowCursor>) -> Double? {
  let value = takeValue(cursor)
  let type = sqlite3_value_type(value)
  return type == SQLITE_FLOAT || type == SQLITE_INTEGER ? sqlite3_value_double(value) : nil
}

@usableFromInline func _readText(_ cursor: UnsafeMutablePointer<RowCursor>) -> String? {
  let value = takeValue(cursor)
  guard sqlite3_value_type(value) == SQLITE_TEXT, let bytes = sqlite3_value_text(value) else { return nil }
  let count = Int(sqlite3_value_bytes(value))
  return String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
}

@usableFromInline func _readBlob(_ cursor: UnsafeMutablePointer<RowCursor>) -> Data? {
  let column = cursor.pointee.column
  cursor.pointee.column = column &+ 1
  guard sqlite3_column_type(cursor.pointee.statement, column) == SQLITE_BLOB else { return nil }
  return columnData(cursor.pointee.statement, column)
}

@usableFromInline func _readValue(_ cursor: UnsafeMutablePointer<RowCursor>) -> StoredValue {
  let column = cursor.pointee.column
  cursor.pointee.column = column &+ 1
  return columnValue(cursor.pointee.statement, column)
}

/// Consumes the column only if it is NULL.
@usableFromInline func _readNull(_ cursor: UnsafeMutablePointer<RowCursor>) -> Bool {
  let column = cursor.pointee.column
  guard sqlite3_column_type(cursor.pointee.statement, column) == SQLITE_NULL else { return false }
  cursor.pointee.column = column &+ 1
  return true
}

@inline(__always) private func takeValue(_ cursor: UnsafeMutablePointer<RowCursor>) -> OpaquePointer? {
  let column = cursor.pointee.column
  cursor.pointee.column = column &+ 1
  return sqlite3_column_value(cursor.pointee.statement, column)
}
