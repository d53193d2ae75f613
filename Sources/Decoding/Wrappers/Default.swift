/// A property with a default value that is used if the key is missing or the value is null.
///
/// ```swift
/// @Default<DefaultValue.Zero> var retries: Int
/// @Default<DefaultValue.EmptyArray> var tags: [String]
/// ```
///
/// Decoding an invalid value still throws an error, because the default replaces only a missing or null value. If it
/// should also replace an invalid value, use ``LossyDefault``. To use a custom default, conform a type to
/// ``DefaultSource``. The property is always encoded, even if its value is the
/// default.
@propertyWrapper
public struct Default<Source: DefaultSource>: FieldWrapper {
  /// The value.
  public var wrappedValue: Source.Value

  /// Wraps a value.
  public init(wrappedValue: Source.Value) { self.wrappedValue = wrappedValue }

  /// A wrapper that contains the default value.
  public static var absent: Default? { Default(wrappedValue: Source.value) }

  /// Always false, because the value is always encoded.
  public var isAbsent: Bool { false }

  /// Decodes the value, or uses the default value if the document contains null.
  ///
  /// - Throws: Any error thrown while decoding the value.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    wrappedValue = container.decodeNil() ? Source.value : try container.decode(Source.Value.self)
  }
}

extension Default: Encodable where Source.Value: Encodable {
  /// Encodes the value.
  public func encode(to encoder: any Encoder) throws {
    try encoder.encodeSingleValue(wrappedValue)
  }
}

extension Default: Sendable where Source.Value: Sendable {}
extension Default: Equatable where Source.Value: Equatable {}
extension Default: Hashable where Source.Value: Hashable {}

/// A type that provides a default value for ``Default`` and ``LossyDefault``.
nonisolated public protocol DefaultSource: SendableMetatype {
  /// The type of the default value and of the property that `@Default` wraps.
  associatedtype Value: Decodable

  /// The default value.
  static var value: Value { get }
}
