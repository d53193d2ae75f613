public import Foundation

/// Reads the value of an attribute from a column of a row.
///
/// An implementation of ``AttributeValue/read(_:)`` must read exactly one value from the column reader, because each
/// method of the reader consumes the value that it reads. If the value is not of the kind that the method reads, the
/// method returns nil.
public struct ColumnReader {
  @usableFromInline let cursor: UnsafeMutablePointer<RowCursor>

  @inlinable @inline(__always) init(_ cursor: UnsafeMutablePointer<RowCursor>) { self.cursor = cursor }

  /// Reads an integer.
  @inlinable @inline(__always) public func integer() -> Int64? { _readInteger(cursor) }

  /// Reads a floating-point number. An integer is converted to a floating-point number.
  @inlinable @inline(__always) public func real() -> Double? { _readReal(cursor) }

  /// Reads text. Bytes that are not valid UTF-8 are replaced with U+FFFD.
  @inlinable @inline(__always) public func text() -> String? { _readText(cursor) }

  /// Reads bytes.
  @inlinable @inline(__always) public func blob() -> Data? { _readBlob(cursor) }

  /// Reads a value of any kind.
  @inlinable @inline(__always) public func value() -> StoredValue { _readValue(cursor) }

  /// Whether the value is null. Only a null is consumed.
  @inlinable @inline(__always) func null() -> Bool { _readNull(cursor) }
}
