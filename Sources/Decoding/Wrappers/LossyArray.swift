/// An array that omits elements that cannot be decoded. The projected value (`$`) reports the omitted elements.
///
/// ```swift
/// @LossyArray var movies: [Movie]     // $movies: [DroppedElement]
/// ```
///
/// A missing key or a null value yields an empty array. Any other value that is not an array causes an error. Omitted
/// elements are not encoded.
@propertyWrapper
public struct LossyArray<Element: Decodable>: FieldWrapper {
  /// The elements that could be decoded.
  public var wrappedValue: [Element]

  /// The elements that could not be decoded, each with its index, its path and the reason.
  public private(set) var projectedValue: [DroppedElement] = []

  /// Wraps an array.
  public init(wrappedValue: [Element]) { self.wrappedValue = wrappedValue }

  /// The empty array.
  public static var absent: LossyArray? { LossyArray(wrappedValue: []) }

  /// Always false, because an empty array is encoded too.
  public var isAbsent: Bool { false }

  /// Decodes the elements that can be decoded.
  ///
  /// - Throws: `DecodingError` if the value is neither an array nor null.
  public init(from decoder: any Decoder) throws {
    self.init(wrappedValue: [])
    if try decoder.singleValueContainer().decodeNil() { return }
    var container = try decoder.unkeyedContainer()
    let lossy = try Lossy<Element>(elementsOf: &container)
    wrappedValue = lossy.values
    projectedValue = lossy.drops
  }
}

extension LossyArray: Encodable where Element: Encodable {
  /// Encodes the elements.
  public func encode(to encoder: any Encoder) throws {
    try encoder.encodeSingleValue(wrappedValue)
  }
}

extension LossyArray: Sendable where Element: Sendable {}

extension LossyArray: Equatable where Element: Equatable {
  /// Returns whether the elements are equal; dropped elements are ignored.
  public static func == (left: LossyArray, right: LossyArray) -> Bool { left.wrappedValue == right.wrappedValue }
}
