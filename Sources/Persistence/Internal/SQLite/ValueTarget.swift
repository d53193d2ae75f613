/// The destination of an attribute's value: a parameter of a statement, or the result of a function. Each call returns
/// ``Statement/bound``, ``Statement/unstorable``, or a code of SQLite.
protocol ValueTarget {
  func put(_ value: Int64) -> Int32
  func put(_ value: Double) -> Int32
  func putNull() -> Int32
  /// Accesses the text in place, so that a native string is neither retained nor copied first.
  func put(_ text: UnsafeMutablePointer<String>) -> Int32
  func put(_ value: StoredValue) -> Int32
}

/// A parameter of a statement whose texts are stored in an arena.
struct Parameter: ValueTarget {
  let statement: Statement
  let index: Int32
  let arena: UnsafeMutablePointer<TextArena>

  @inline(__always) func put(_ value: Int64) -> Int32 { statement.bind(value, at: index) }
  @inline(__always) func put(_ value: Double) -> Int32 { statement.bind(value, at: index) }
  @inline(__always) func putNull() -> Int32 { statement.bindNull(at: index) }
  @inline(__always) func put(_ text: UnsafeMutablePointer<String>) -> Int32 {
    arena.pointee.bind(text, to: statement, at: index)
  }
  @inline(__always) func put(_ value: StoredValue) -> Int32 { statement.bind(value, at: index) }
}
