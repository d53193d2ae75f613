internal import Foundation

/// A `Codable` type that is stored as JSON in a single column.
///
/// ```swift
/// struct Address: CodableAttribute { var street = "", city = "" }
/// ```
///
/// Queries cannot use the properties of such a type: two values are equal in a query if their JSON is the same.
public protocol CodableAttribute: AttributeValue {}

extension CodableAttribute {
  /// Text.
  public static var storageClass: StorageClass { .text }

  /// Creates a value from JSON.
  public init?(stored: StoredValue) {
    guard case .text(let text) = stored, let value = try? JSONDecoder().decode(Self.self, from: Data(text.utf8)) else {
      // Reading the row reports the error, with class, attribute and id.
      return nil
    }
    self = value
  }

  /// The value as JSON with sorted keys.
  public var stored: StoredValue {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    do {
      return .text(String(decoding: try encoder.encode(self), as: UTF8.self))
    } catch {
      // The error itself would contain the value.
      return .unstorable("it cannot be encoded as JSON")
    }
  }
}
