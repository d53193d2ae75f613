public import Foundation

/// A value as the store keeps it.
public enum StoredValue: Sendable, Hashable {
  /// No value.
  case null
  /// A whole number of 64 bits.
  case integer(Int64)
  /// A floating-point number. NaN cannot be stored.
  case real(Double)
  /// Text, compared and sorted by its UTF-8 bytes.
  case text(String)
  /// Bytes.
  case blob(Data)
  /// A value that the store has no exact form for, such as a `UInt64` above `Int64.max`; saving it is refused with this
  /// reason.
  case unstorable(String)
}
