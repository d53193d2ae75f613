/// Where a structural skip stands between two blocks or chunks.
struct StructureProgress {
  /// How many containers are open.
  var depth: Int
  /// All ones inside a string, else zero.
  var inString: UInt64 = 0
  /// One when the last byte was a backslash that escapes the next.
  var escaped: UInt64 = 0
}
