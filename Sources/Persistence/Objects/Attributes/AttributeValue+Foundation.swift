public import Foundation

extension String: AttributeValue {
  /// Text.
  public static var storageClass: StorageClass { .text }

  /// From text.
  public init?(stored: StoredValue) {
    guard case .text(let value) = stored else { return nil }
    self = value
  }

  /// As it is.
  public var stored: StoredValue { .text(self) }

  /// Reads text.
  @inlinable @inline(__always) public static func read(_ reader: AttributeReader) -> String? { reader.text() }
}

extension Data: AttributeValue {
  /// Bytes.
  public static var storageClass: StorageClass { .blob }

  /// From bytes.
  public init?(stored: StoredValue) {
    guard case .blob(let value) = stored else { return nil }
    self = value
  }

  /// As it is.
  public var stored: StoredValue { .blob(self) }

  /// Reads bytes.
  @inlinable @inline(__always) public static func read(_ reader: AttributeReader) -> Data? { reader.blob() }
}

extension Date: AttributeValue {
  /// A floating-point number: Unix time, seconds since 1970-01-01 00:00 UTC.
  public static var storageClass: StorageClass { .real }

  /// From a number.
  public init?(stored: StoredValue) {
    guard let seconds = Double(stored: stored) else { return nil }
    self.init(timeIntervalSince1970: seconds)
  }

  /// Seconds since 1970-01-01 00:00 UTC, of the date that ``asStored`` gives.
  public var stored: StoredValue { asStored.timeIntervalSince1970.stored }

  /// The nearest date that Unix time can tell. A `Date` counts from 2001, where its numbers are smaller and so their
  /// steps finer: today a date moves by 0.12 µs at most.
  @inlinable @inline(__always) public var asStored: Date { Date(timeIntervalSince1970: timeIntervalSince1970) }

  /// Reads a number.
  @inlinable public static func read(_ reader: AttributeReader) -> Date? {
    reader.real().map { Date(timeIntervalSince1970: $0) }
  }
}

extension UUID: AttributeValue {
  /// Bytes, 16 of them.
  public static var storageClass: StorageClass { .blob }

  /// From 16 bytes.
  public init?(stored: StoredValue) {
    guard case .blob(let bytes) = stored, bytes.count == 16 else { return nil }
    var uuid: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
    withUnsafeMutableBytes(of: &uuid) { _ = bytes.copyBytes(to: $0) }
    self.init(uuid: uuid)
  }

  /// Its 16 bytes.
  public var stored: StoredValue { withUnsafeBytes(of: uuid) { .blob(Data($0)) } }
}

extension URL: AttributeValue {
  /// Text.
  public static var storageClass: StorageClass { .text }

  /// From text that is a URL.
  public init?(stored: StoredValue) {
    guard case .text(let text) = stored else { return nil }
    self.init(string: text)
  }

  /// The absolute URL; a base is resolved and not kept apart.
  public var stored: StoredValue { .text(absoluteString) }
}
