internal import CLarderSQLite
internal import Foundation

/// The result of a function that SQLite calls.
struct FunctionResult {
  let context: OpaquePointer

  /// Returns ``Statement/bound`` or ``Statement/unstorable``.
  func put(_ value: StoredValue) -> Int32 {
    switch value {
    case .null: sqlite3_result_null(context)
    case .integer(let integer): sqlite3_result_int64(context, integer)
    case .real(let real):
      guard !real.isNaN else { return Statement.unstorable }
      sqlite3_result_double(context, real)
    case .text(var text): text.withUTF8(put)
    case .blob(let data):
      data.withUnsafeBytes { bytes in
        // A null pointer would be NULL.
        if bytes.isEmpty { return sqlite3_result_zeroblob(context, 0) }
        sqlite3_result_blob64(context, bytes.baseAddress, sqlite3_uint64(bytes.count), Statement.transient)
      }
    case .unstorable: return Statement.unstorable
    }
    return Statement.bound
  }

  private func put(text bytes: UnsafeBufferPointer<UInt8>) {
    // A null pointer would be NULL.
    if bytes.isEmpty { return sqlite3_result_text(context, "", 0, Statement.transient) }
    bytes.withMemoryRebound(to: CChar.self) {
      let count = sqlite3_uint64($0.count)
      sqlite3_result_text64(context, $0.baseAddress, count, Statement.transient, UInt8(SQLITE_UTF8))
    }
  }
}
