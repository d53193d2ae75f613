/// The content of one location in a document: nothing, null, a value, or a value that cannot be decoded.
///
/// ```swift
/// switch json.field(String.self, at: "volumeInfo.publisher") {
/// case .missing, .null: …
/// case .value(let publisher): …
/// case .invalid(let error): …
/// }
/// ```
///
/// If a field is a property of a type with a synthesized `Codable` conformance, it distinguishes a missing key from
/// null both when it is decoded and when it is encoded. With a ``NestedCodingKey``, a null value along the path to the
/// field counts as missing.
public enum Field<Value> {
  /// The value, or a value along the path to it, does not exist.
  case missing
  /// The value, or a value along the path to it, is null.
  case null
  /// The value.
  case value(Value)
  /// The value exists but could not be decoded.
  case invalid(any Error)

  /// The value, or nil if the field is missing, null or invalid.
  public var value: Value? {
    if case .value(let value) = self { value } else { nil }
  }

  /// Returns the value, or nil if the field is missing or null.
  ///
  /// - Throws: The stored error if the field is invalid.
  public func get() throws -> Value? {
    switch self {
    case .missing, .null: nil
    case .value(let value): value
    case .invalid(let error): throw error
    }
  }

  /// Returns a field that contains the transformed value. A field without a value remains unchanged. If the closure
  /// throws an error, the returned field is invalid.
  public func map<Other>(_ transform: (Value) throws -> Other) -> Field<Other> {
    switch self {
    case .missing: return .missing
    case .null: return .null
    case .invalid(let error): return .invalid(error)
    case .value(let value):
      do {
        return .value(try transform(value))
      } catch {
        return .invalid(error)
      }
    }
  }
}

extension Field: Sendable where Value: Sendable {}
