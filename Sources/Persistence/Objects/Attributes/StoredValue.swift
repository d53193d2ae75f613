public import Foundation

/// A value in its stored form.
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
  /// A value without an exact stored form, such as a `UInt64` above `Int64.max`. Saving such a value fails with the
  /// given reason.
  case unstorable(String)
}
