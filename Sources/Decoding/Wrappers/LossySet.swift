/// A set that omits elements that cannot be decoded. The projected value (`$`) reports the omitted elements.
///
/// ```swift
/// @LossySet var tags: Set<String>     // $tags: [DroppedElement]
/// ```
///
/// A missing key or a null value yields an empty set. Any other value that is not an array causes an error. The
/// elements are encoded in no particular order.
@propertyWrapper
public struct LossySet<Element: Decodable & Hashable>: FieldWrapper {
  /// The elements that could be decoded.
  public var wrappedValue: Set<Element>

  /// The elements that could not be decoded, each with its index, its path and the reason.
  public private(set) var projectedValue: [DroppedElement] = []

  /// Wraps a set.
  public init(wrappedValue: Set<Element>) { self.wrappedValue = wrappedValue }

  /// The empty set.
  public static var absent: LossySet? { LossySet(wrappedValue: []) }

  /// Always false, because an empty set is encoded too.
  public var isAbsent: Bool { false }

  /// Decodes the elements that can be decoded.
  ///
  /// - Throws: `DecodingError` if the value is neither an array nor null.
  public init(from decoder: any Decoder) throws {
    let array = try LossyArray<Element>(from: decoder)
    wrappedValue = Set(array.wrappedValue)
    projectedValue = array.projectedValue
  }
}

extension LossySet: Encodable where Element: Encodable {
  /// Encodes the elements.
  public func encode(to encoder: any Encoder) throws {
    try encoder.encodeSingleValue(wrappedValue)
  }
}

extension LossySet: Sendable where Element: Sendable {}

extension LossySet: Equatable {
  /// Returns whether the elements are equal; dropped elements are ignored.
  public static func == (left: LossySet, right: LossySet) -> Bool { left.wrappedValue == right.wrappedValue }
}
