internal import Foundation

/// A `Codable` type that is stored whole, as JSON, because it says so.
///
/// ```swift
/// struct Address: CodableAttribute { var street = "", city = "" }
/// ```
///
/// The store does not look inside: two values compare equal in a query if their JSON is the same.
public protocol CodableAttribute: AttributeValue {}

extension CodableAttribute {
  /// Text.
  public static var storageClass: StorageClass { .text }

  /// From JSON.
  public init?(stored: StoredValue) {
    guard case .text(let text) = stored, let value = try? JSONDecoder().decode(Self.self, from: Data(text.utf8)) else {
      // What is wrong is told by whoever reads the row, with class, attribute and id.
      return nil
    }
    self = value
  }

  /// As JSON with sorted keys.
  public var stored: StoredValue {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    do {
      return .text(String(decoding: try encoder.encode(self), as: UTF8.self))
    } catch {
      // The error would tell the value.
      return .unstorable("it cannot be encoded as JSON")
    }
  }
}
