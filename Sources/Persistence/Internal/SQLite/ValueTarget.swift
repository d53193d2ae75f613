/// Where an attribute's value goes: a statement's parameter, or a function's result. Each call answers as
/// ``Statement/bound`` and ``Statement/unstorable`` say, or with SQLite's code.
protocol ValueTarget {
  func put(_ value: Int64) -> Int32
  func put(_ value: Double) -> Int32
  func putNull() -> Int32
  /// Text in place, so that a native string is neither retained nor copied first.
  func put(_ text: UnsafeMutablePointer<String>) -> Int32
  func put(_ value: StoredValue) -> Int32
}

/// A parameter of a statement whose texts lie in an arena.
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
