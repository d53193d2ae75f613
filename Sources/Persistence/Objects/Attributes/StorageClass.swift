/// The type of a column in a store.
public enum StorageClass: String, Sendable, Hashable {
  /// 64-bit integers.
  case integer = "INTEGER"
  /// Floating-point numbers.
  case real = "REAL"
  /// UTF-8 text.
  case text = "TEXT"
  /// Bytes.
  case blob = "BLOB"
}
