/// An optional value that is nil where it cannot be decoded, which `$` reports.
///
/// ```swift
/// @LossyOptional var rating: Double?     // $rating: LossyDrop?
/// ```
///
/// A missing key and null give nil too, without a report. Encodes the value, and leaves nil out.
@propertyWrapper
public struct LossyOptional<Value: Decodable>: FieldWrapper {
  /// The value, if there is one that could be decoded.
  public var wrappedValue: Value?

  /// What could not be decoded, with its path and reason.
  public private(set) var projectedValue: LossyDrop?

  /// Wraps a value.
  public init(wrappedValue: Value?) { self.wrappedValue = wrappedValue }

  /// Nil.
  public static var absent: LossyOptional? { LossyOptional(wrappedValue: nil) }

  /// Whether the value is nil.
  public var isAbsent: Bool { wrappedValue == nil }

  /// Decodes the value if it can be decoded.
  ///
  /// - Throws: What the decoder throws where there is no value to look at.
  public init(from decoder: any Decoder) throws {
    self.init(wrappedValue: nil)
    let container = try decoder.singleValueContainer()
    if container.decodeNil() { return }
    do {
      wrappedValue = try container.decode(Value.self)
    } catch {
      projectedValue = LossyDrop(index: 0, codingPath: decoder.codingPath, error: error, decoder: decoder)
    }
  }
}

extension LossyOptional: Encodable where Value: Encodable {
  /// Encodes the value, or null.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(wrappedValue)
  }
}

extension LossyOptional: Sendable where Value: Sendable {}

extension LossyOptional: Equatable where Value: Equatable {
  /// Whether the values are equal, whatever was left out.
  public static func == (left: LossyOptional, right: LossyOptional) -> Bool { left.wrappedValue == right.wrappedValue }
}
