internal import CLarderSQLite
internal import Foundation

extension Statement {
  @inline(__always) func int64(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }

  func isNull(_ column: Int32) -> Bool { sqlite3_column_type(handle, column) == SQLITE_NULL }

  func text(_ column: Int32) -> String { columnText(handle, column) }

  func data(_ column: Int32) -> Data { columnData(handle, column) }

  func value(_ column: Int32) -> StoredValue { columnValue(handle, column) }
}

/// Returns the text of a column. Bytes that are not UTF-8 are replaced by U+FFFD; a NUL is an ordinary character.
@inline(__always) func columnText(_ statement: OpaquePointer?, _ column: Int32) -> String {
  guard let bytes = sqlite3_column_text(statement, column) else { return "" }
  let count = Int(sqlite3_column_bytes(statement, column))
  return String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
}

func columnData(_ statement: OpaquePointer?, _ column: Int32) -> Data {
  guard let bytes = sqlite3_column_blob(statement, column) else { return Data() }
  return Data(bytes: bytes, count: Int(sqlite3_column_bytes(statement, column)))
}

func columnValue(_ statement: OpaquePointer?, _ column: Int32) -> StoredValue {
  switch sqlite3_column_type(statement, column) {
  case SQLITE_INTEGER: .integer(sqlite3_column_int64(statement, column))
  case SQLITE_FLOAT: .real(sqlite3_column_double(statement, column))
  case SQLITE_TEXT: .text(columnText(statement, column))
  case SQLITE_NULL: .null
  default: .blob(columnData(statement, column))
  }
}
