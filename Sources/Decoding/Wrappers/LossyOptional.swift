/// An optional value that is nil if it cannot be decoded. The projected value (`$`) reports the reason.
///
/// ```swift
/// @LossyOptional var rating: Double?     // $rating: DroppedElement?
/// ```
///
/// A missing key or a null value also yields nil, but is not reported. A property that is nil is not encoded.
@propertyWrapper
public struct LossyOptional<Value: Decodable>: FieldWrapper {
  /// The value, or nil if it is missing, is null, or could not be decoded.
  public var wrappedValue: Value?

  /// The path of the dropped value and the reason why it could not be decoded, or nil if no value was dropped.
  public private(set) var projectedValue: DroppedElement?

  /// Wraps a value.
  public init(wrappedValue: Value?) { self.wrappedValue = wrappedValue }

  /// A wrapper that contains nil.
  public static var absent: LossyOptional? { LossyOptional(wrappedValue: nil) }

  /// Whether the value is nil.
  public var isAbsent: Bool { wrappedValue == nil }

  /// Decodes the value, or stores the reason why it cannot be decoded.
  ///
  /// - Throws: Any error that the decoder throws if it cannot provide a container for the value.
  public init(from decoder: any Decoder) throws {
    self.init(wrappedValue: nil)
    let container = try decoder.singleValueContainer()
    if container.decodeNil() { return }
    do {
      wrappedValue = try container.decode(Value.self)
    } catch {
      projectedValue = DroppedElement(index: 0, codingPath: decoder.codingPath, error: error, decoder: decoder)
    }
  }
}

extension LossyOptional: Encodable where Value: Encodable {
  /// Encodes the value, or null if the value is nil.
  public func encode(to encoder: any Encoder) throws {
    try encoder.encodeSingleValue(wrappedValue)
  }
}

extension LossyOptional: Sendable where Value: Sendable {}

extension LossyOptional: Equatable where Value: Equatable {
  /// Returns whether the wrapped values are equal. A value that was dropped is compared as nil.
  public static func == (left: LossyOptional, right: LossyOptional) -> Bool { left.wrappedValue == right.wrappedValue }
}
