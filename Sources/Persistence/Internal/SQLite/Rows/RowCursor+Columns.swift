internal import CSQLite
public import Foundation

// One opaque call per value: the C API stays out of client code, and everything around it is inlined there. Each reader
// takes a column, whether or not it fits; an integer column never turns into text behind a model's back.

@usableFromInline func _readInteger(_ cursor: UnsafeMutablePointer<RowCursor>) -> Int64? {
  let column = cursor.pointee.column
  cursor.pointee.column = column &+ 1
  guard sqlite3_column_type(cursor.pointee.statement, column) == SQLITE_INTEGER else { return nil }
  return sqlite3_column_int64(cursor.pointee.statement, column)
}

@usableFromInline func _readReal(_ cursor: UnsafeMutablePointer<RowCursor>) -> Double? {
  let column = cursor.pointee.column
  cursor.pointee.column = column &+ 1
  let type = sqlite3_column_type(cursor.pointee.statement, column)
  guard type == SQLITE_FLOAT || type == SQLITE_INTEGER else { return nil }
  return sqlite3_column_double(cursor.pointee.statement, column)
}

@usableFromInline func _readText(_ cursor: UnsafeMutablePointer<RowCursor>) -> String? {
  let column = cursor.pointee.column
  cursor.pointee.column = column &+ 1
  guard sqlite3_column_type(cursor.pointee.statement, column) == SQLITE_TEXT else { return nil }
  return columnText(cursor.pointee.statement, column)
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

/// Takes the column only if it is NULL.
@usableFromInline func _readNull(_ cursor: UnsafeMutablePointer<RowCursor>) -> Bool {
  let column = cursor.pointee.column
  guard sqlite3_column_type(cursor.pointee.statement, column) == SQLITE_NULL else { return false }
  cursor.pointee.column = column &+ 1
  return true
}
