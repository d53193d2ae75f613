public import Foundation

/// The column of a row that an attribute is being read from.
///
/// A type that conforms to ``AttributeValue`` takes exactly one value from it; each method takes the value, and answers
/// nil when the column holds another kind.
public struct AttributeReader {
  @usableFromInline let cursor: UnsafeMutablePointer<RowCursor>

  @inlinable @inline(__always) init(_ cursor: UnsafeMutablePointer<RowCursor>) { self.cursor = cursor }

  /// A whole number.
  @inlinable @inline(__always) public func integer() -> Int64? { _readInteger(cursor) }

  /// A floating-point number; a whole number is taken as one.
  @inlinable @inline(__always) public func real() -> Double? { _readReal(cursor) }

  /// Text. Bytes that are not UTF-8 are replaced by U+FFFD.
  @inlinable @inline(__always) public func text() -> String? { _readText(cursor) }

  /// Bytes.
  @inlinable @inline(__always) public func blob() -> Data? { _readBlob(cursor) }

  /// The value, whatever its kind.
  @inlinable @inline(__always) public func value() -> StoredValue { _readValue(cursor) }

  /// Whether there is no value. Only if so, it is taken.
  @inlinable @inline(__always) func null() -> Bool { _readNull(cursor) }
}
