internal import Foundation

/// A `Codable` type that is stored as JSON in a single column.
///
/// ```swift
/// struct Address: CodableAttribute { var street = "", city = "" }
///
/// final class Contact: ManagedObject {
///   @Attribute var address: Address?
///   @Attribute var phones: [String] = []
/// }
/// ```
///
/// A type that is `Codable`, `Equatable` and `Sendable` only needs to declare its conformance. Arrays of attribute
/// types, sets of `Comparable` attribute types, and dictionaries that map strings to values of an attribute type are
/// also attribute types. The whole value is fetched and saved together with its object. If data is large or shared by
/// several objects, store it in a separate class instead.
///
/// Two values are equal in a query if their JSON is the same. A type that contains a `Set` must therefore encode the
/// set in a fixed order. Saving a value that cannot be encoded, or reading text that cannot be decoded, throws
/// ``PersistenceError/invalidValue(_:)``. The error names the object, the attribute and the place in the JSON.
///
/// A property that you add to a type is missing in values that are already stored, even if it has a default value:
/// decode it with `decodeIfPresent`, or declare with `unreadable:` what the attribute has instead.
nonisolated public protocol CodableAttribute: AttributeValue {}

extension CodableAttribute {
  /// Text.
  public static var storageClass: StorageClass { .text }

  /// Creates a value from stored JSON, or returns nil if the JSON cannot be decoded.
  public init?(stored: StoredValue) {
    guard case .text(let text) = stored, let value = try? JSONDecoder().decode(Self.self, from: Data(text.utf8)) else {
      // Reading the row reports the error, with class, attribute and id.
      return nil
    }
    self = value
  }

  /// The value as JSON with sorted keys.
  public var stored: StoredValue { JSONForm.of(self) }
}

enum JSONForm {
  /// JSON that is the same for values with the same members.
  static func of(_ value: some Encodable) -> StoredValue {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    do {
      return .text(String(decoding: try encoder.encode(value), as: UTF8.self))
    } catch {
      // The error itself would contain the value.
      return .unstorable("it cannot be encoded as JSON")
    }
  }
}
