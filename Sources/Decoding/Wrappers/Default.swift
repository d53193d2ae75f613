/// A property with a default where the key is missing or null.
///
/// ```swift
/// @Default<Zero> var retries: Int
/// @Default<EmptyArray> var tags: [String]
/// ```
///
/// A value that is there and wrong still throws: a default stands in for what is not there only. For a default of your
/// own conform a type to ``DefaultSource``. Encodes the value.
@propertyWrapper
public struct Default<Source: DefaultSource>: FieldWrapper {
  /// The value.
  public var wrappedValue: Source.Value

  /// Wraps a value.
  public init(wrappedValue: Source.Value) { self.wrappedValue = wrappedValue }

  /// The default.
  public static var absent: Default? { Default(wrappedValue: Source.value) }

  /// False: the value is always encoded.
  public var isAbsent: Bool { false }

  /// Decodes the value, or takes the default for null.
  ///
  /// - Throws: What decoding the value throws.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    wrappedValue = container.decodeNil() ? Source.value : try container.decode(Source.Value.self)
  }
}

extension Default: Encodable where Source.Value: Encodable {
  /// Encodes the value.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(wrappedValue)
  }
}

extension Default: Sendable where Source.Value: Sendable {}
extension Default: Equatable where Source.Value: Equatable {}
extension Default: Hashable where Source.Value: Hashable {}
