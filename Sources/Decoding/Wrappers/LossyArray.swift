/// An array without the elements that cannot be decoded, which `$` reports.
///
/// ```swift
/// @LossyArray var movies: [Movie]     // $movies: [LossyDrop]
/// ```
///
/// A missing key and null give an empty array; anything else that is no array throws. Encodes the elements.
@propertyWrapper
public struct LossyArray<Element: Decodable>: FieldWrapper {
  /// The elements that could be decoded.
  public var wrappedValue: [Element]

  /// Those that could not, each with its index, path and reason.
  public private(set) var projectedValue: [LossyDrop] = []

  /// Wraps an array.
  public init(wrappedValue: [Element]) { self.wrappedValue = wrappedValue }

  /// The empty array.
  public static var absent: LossyArray? { LossyArray(wrappedValue: []) }

  /// False: an empty array is encoded too.
  public var isAbsent: Bool { false }

  /// Decodes the elements that can be decoded.
  ///
  /// - Throws: `DecodingError` when there is neither an array nor null.
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
    var container = encoder.singleValueContainer()
    try container.encode(wrappedValue)
  }
}

extension LossyArray: Sendable where Element: Sendable {}

extension LossyArray: Equatable where Element: Equatable {
  /// Whether the elements are equal, whatever was left out.
  public static func == (left: LossyArray, right: LossyArray) -> Bool { left.wrappedValue == right.wrappedValue }
}
