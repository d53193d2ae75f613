/// A property with a default value that is used if the value is missing, is null, or cannot be decoded. The projected
/// value (`$`) reports the reason.
///
/// ```swift
/// @LossyDefault<DefaultValue.Zero> var votes: Int     // $votes: DroppedElement?
/// ```
///
/// A missing key or a null value also yields the default, but is not reported. The property is always encoded, even if
/// its value is the default.
@propertyWrapper
public struct LossyDefault<Source: DefaultSource>: FieldWrapper {
  /// The value, or the default if the value is missing, is null, or could not be decoded.
  public var wrappedValue: Source.Value

  /// The path of the dropped value and the reason why it could not be decoded, or nil if no value was dropped.
  public private(set) var projectedValue: DroppedElement?

  /// Wraps a value.
  public init(wrappedValue: Source.Value) { self.wrappedValue = wrappedValue }

  /// A wrapper that contains the default value.
  public static var absent: LossyDefault? { LossyDefault(wrappedValue: Source.value) }

  /// Always false, because the value is always encoded.
  public var isAbsent: Bool { false }

  /// Decodes the value, or uses the default value and stores the reason why the value cannot be decoded.
  ///
  /// - Throws: Any error that the decoder throws if it cannot provide a container for the value.
  public init(from decoder: any Decoder) throws {
    let optional = try LossyOptional<Source.Value>(from: decoder)
    wrappedValue = optional.wrappedValue ?? Source.value
    projectedValue = optional.projectedValue
  }
}

extension LossyDefault: Encodable where Source.Value: Encodable {
  /// Encodes the value.
  public func encode(to encoder: any Encoder) throws {
    try encoder.encodeSingleValue(wrappedValue)
  }
}

extension LossyDefault: Sendable where Source.Value: Sendable {}

extension LossyDefault: Equatable where Source.Value: Equatable {
  /// Returns whether the wrapped values are equal. A value that was dropped is compared as the default.
  public static func == (left: LossyDefault, right: LossyDefault) -> Bool { left.wrappedValue == right.wrappedValue }
}
