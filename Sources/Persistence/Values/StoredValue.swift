public import Foundation

/// The stored form of a value: null, a number, text or bytes.
public enum StoredValue: Sendable, Hashable {
  /// No value.
  case null
  /// A 64-bit integer.
  case integer(Int64)
  /// A floating-point number. NaN cannot be stored.
  case real(Double)
  /// Text, compared and sorted by its UTF-8 bytes.
  case text(String)
  /// Bytes.
  case blob(Data)
  /// A value without an exact stored form, such as a `UInt64` above `Int64.max`. Saving an object that has this value
  /// fails, and the error contains the given reason.
  case unstorable(String)
}

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
