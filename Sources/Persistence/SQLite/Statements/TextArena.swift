internal import CLarderSQLite

/// A buffer for the texts of one statement's rows. SQLite binds them from here without a copy: no allocation per text,
/// and no pointer that outlives its closure.
///
/// The memory is valid until the next `reset`, which follows the run of the statement. Bindings that then point to
/// stale bytes are replaced before the statement runs again.
struct TextArena: ~Copyable {
  private let base: UnsafeMutablePointer<UInt8>
  private var used = 0
  private static let capacity = 1 << 16

  init() { base = .allocate(capacity: Self.capacity) }

  deinit { base.deallocate() }

  @inline(__always) mutating func reset() { used = 0 }

  @inline(__always) mutating func bind(
    _ text: UnsafeMutablePointer<String>, to statement: Statement, at index: Int32
  ) -> Int32 {
    let room = Self.capacity - used
    let target = base + used
    var taken = 0
    // Accesses the string in place, so that a native string is neither retained nor copied first.
    let code = text.pointee.withUTF8 { bytes -> Int32 in
      guard let start = bytes.baseAddress, bytes.count < room, !bytes.isEmpty else {
        return statement.bind(text: bytes, at: index)
      }
      target.update(from: start, count: bytes.count)
      taken = bytes.count
      let characters = UnsafeRawPointer(target).assumingMemoryBound(to: CChar.self)
      return sqlite3_bind_text(statement.handle, index, characters, Int32(truncatingIfNeeded: bytes.count), nil)
    }
    used += taken
    return code
  }
}
