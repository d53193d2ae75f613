/// The kinds of column that a store has.
public enum StorageClass: String, Sendable, Hashable {
  /// Whole numbers of 64 bits.
  case integer = "INTEGER"
  /// Floating-point numbers.
  case real = "REAL"
  /// UTF-8 text.
  case text = "TEXT"
  /// Bytes.
  case blob = "BLOB"
}
