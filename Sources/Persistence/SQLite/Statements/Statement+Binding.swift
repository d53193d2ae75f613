internal import CLarderSQLite
internal import Foundation

extension Statement {
  /// The codes of `bind`: success, or the value has no exact form in the store.
  @inline(__always) static var bound: Int32 { SQLITE_OK }
  @inline(__always) static var unstorable: Int32 { SQLITE_MISMATCH }

  /// Tells SQLite to copy the bytes before the call returns. The C header defines it as a macro that Swift cannot
  /// import.
  static var transient: sqlite3_destructor_type { unsafeBitCast(-1, to: sqlite3_destructor_type.self) }

  @inline(__always) func bind(_ value: Int64, at index: Int32) -> Int32 { sqlite3_bind_int64(handle, index, value) }

  @inline(__always) func bind(_ value: Double, at index: Int32) -> Int32 { sqlite3_bind_double(handle, index, value) }

  @inline(__always) func bindNull(at index: Int32) -> Int32 { sqlite3_bind_null(handle, index) }

  @inline(never) func bind(_ value: StoredValue, at index: Int32) -> Int32 {
    switch value {
    case .null: return sqlite3_bind_null(handle, index)
    case .integer(let integer): return sqlite3_bind_int64(handle, index, integer)
    case .real(let real):
      // SQLite would silently store NULL.
      return real.isNaN ? SQLITE_MISMATCH : sqlite3_bind_double(handle, index, real)
    case .text(var text): return text.withUTF8 { bind(text: $0, at: index) }
    case .blob(let data): return data.withUnsafeBytes { bind(blob: $0, at: index) }
    case .unstorable: return SQLITE_MISMATCH
    }
  }

  /// Binds text, which SQLite copies. The length has 64 bits, so that text of 2 GB and more is rejected (SQLITE_TOOBIG)
  /// and not truncated.
  func bind(text bytes: UnsafeBufferPointer<UInt8>, at index: Int32) -> Int32 {
    // An empty string has no address, and a null pointer would bind NULL.
    guard let start = bytes.baseAddress, !bytes.isEmpty else {
      return sqlite3_bind_text(handle, index, "", 0, Self.transient)
    }
    let characters = UnsafeRawPointer(start).assumingMemoryBound(to: CChar.self)
    return sqlite3_bind_text64(
      handle, index, characters, sqlite3_uint64(bytes.count), Self.transient, UInt8(SQLITE_UTF8))
  }

  func bind(blob bytes: UnsafeRawBufferPointer, at index: Int32) -> Int32 {
    guard let start = bytes.baseAddress, !bytes.isEmpty else { return sqlite3_bind_zeroblob(handle, index, 0) }
    return sqlite3_bind_blob64(handle, index, start, sqlite3_uint64(bytes.count), Self.transient)
  }

  func bind(_ values: [StoredValue], from first: Int32 = 1) throws(PersistenceError) {
    var index = first
    for value in values {
      let code = bind(value, at: index)
      if code != SQLITE_OK { throw failure(code) }
      index += 1
    }
  }

  /// Binds the arguments of a query. The SQL may have no parameters for the last ones: it omits whatever makes no
  /// difference, such as the fallback for a property that is never nil.
  @inline(__always) func bind(_ arguments: ContiguousArray<StoredValue>) throws(PersistenceError) {
    let count = sqlite3_bind_parameter_count(handle)
    var index: Int32 = 0
    for argument in arguments where index < count {
      index &+= 1
      let code = bind(argument, at: index)
      if code != SQLITE_OK { throw failure(code) }
    }
  }
}
