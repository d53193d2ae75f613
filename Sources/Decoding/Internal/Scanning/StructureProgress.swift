/// The progress of a structural skip between two blocks or chunks.
struct StructureProgress {
  /// The number of open containers.
  var depth: Int
  /// All ones inside a string, otherwise zero.
  var inString: UInt64 = 0
  /// One if the last byte was a backslash that escapes the next.
  var escaped: UInt64 = 0
}
