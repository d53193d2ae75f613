internal import CLarderSQLite
internal import Foundation

/// The SQL function with which a statement that changes many rows requests their values, row by row.
///
/// Binding, starting and resetting a statement cost more than changing a row does. A single statement that calls back
/// for a run of rows saves that cost. The table that runs the statement evaluates `larder_value(id, slot)`.
final class RowFunction {
  static let name = "larder_value"

  // The table sets this around its statement.
  unowned(unsafe) var table: EntityRegistry?

  /// Registers the function. The connection retains this object for as long as it is open.
  func register(on database: OpaquePointer) throws(PersistenceError) {
    // Not available to a schema that someone has planted in the file.
    let flags = SQLITE_UTF8 | SQLITE_DIRECTONLY
    let this = Unmanaged.passUnretained(self).toOpaque()
    let code = sqlite3_create_function_v2(
      database, RowFunction.name, 2, flags, this,
      { context, _, values in
        guard let context, let values, let this = sqlite3_user_data(context) else { return }
        // The connection outlives its statements and retains the function.
        Unmanaged<RowFunction>.fromOpaque(this)._withUnsafeGuaranteedRef { function in
          let id = sqlite3_value_int64(values[0])
          let slot = Int(truncatingIfNeeded: sqlite3_value_int64(values[1]))
          function.table?.answer(id, slot, FunctionResult(context: context))
        }
      }, nil, nil, nil)
    guard code == SQLITE_OK else { throw PersistenceError(DatabaseError(database, fallback: code, sql: nil)) }
  }
}

/// The destination for a function's result.
struct FunctionResult {
  let context: OpaquePointer

  /// Aborts the statement with an error.
  func refuse() { sqlite3_result_error(context, "the value has no stored form", -1) }
}

extension FunctionResult: ValueTarget {
  @inline(__always) func put(_ value: Int64) -> Int32 {
    sqlite3_result_int64(context, value)
    return Statement.bound
  }

  @inline(__always) func put(_ value: Double) -> Int32 {
    sqlite3_result_double(context, value)
    return Statement.bound
  }

  @inline(__always) func putNull() -> Int32 {
    sqlite3_result_null(context)
    return Statement.bound
  }

  @inline(__always) func put(_ text: UnsafeMutablePointer<String>) -> Int32 {
    text.pointee.withUTF8 { put(text: $0) }
  }

  @inline(never) func put(_ value: StoredValue) -> Int32 {
    switch value {
    case .null: return putNull()
    case .integer(let integer): return put(integer)
    case .real(let real): return real.isNaN ? Statement.unstorable : put(real)
    case .text(var text): return text.withUTF8 { put(text: $0) }
    case .blob(let data):
      data.withUnsafeBytes { bytes in
        // A null pointer would be NULL.
        if bytes.isEmpty { return sqlite3_result_zeroblob(context, 0) }
        sqlite3_result_blob64(context, bytes.baseAddress, sqlite3_uint64(bytes.count), Statement.transient)
      }
      return Statement.bound
    case .unstorable: return Statement.unstorable
    }
  }

  private func put(text bytes: UnsafeBufferPointer<UInt8>) -> Int32 {
    let start = bytes.baseAddress.map { UnsafeRawPointer($0).assumingMemoryBound(to: CChar.self) }
    guard let start, !bytes.isEmpty else {
      // A null pointer would be NULL.
      sqlite3_result_text(context, "", 0, Statement.transient)
      return Statement.bound
    }
    sqlite3_result_text64(context, start, sqlite3_uint64(bytes.count), Statement.transient, UInt8(SQLITE_UTF8))
    return Statement.bound
  }
}
