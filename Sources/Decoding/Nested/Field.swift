/// What is to be found in one place of a document: nothing, null, a value, or something that is no such value.
///
/// ```swift
/// switch json.field(String.self, at: "volumeInfo.publisher") {
/// case .missing, .null: …
/// case .value(let publisher): …
/// case .invalid(let error): …
/// }
/// ```
///
/// As a property of a synthesized `Codable` type it tells a missing key from null, and encodes back what it was. Under
/// a ``NestedCodingKey`` a null on the way to it counts as missing.
public enum Field<Value> {
  /// The key, or something on the way to it, is not there.
  case missing
  /// The place holds null, or something on the way to it is null.
  case null
  /// The value.
  case value(Value)
  /// What is there could not be decoded.
  case invalid(any Error)

  /// The value, or nil in every other case.
  public var value: Value? {
    if case .value(let value) = self { value } else { nil }
  }

  /// The value, or nil when it is missing or null.
  ///
  /// - Throws: The error of an invalid one.
  public func get() throws -> Value? {
    switch self {
    case .missing, .null: nil
    case .value(let value): value
    case .invalid(let error): throw error
    }
  }

  /// The field with its value made into another; what that throws makes it invalid.
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
