/// A set without the elements that cannot be decoded, which `$` reports.
///
/// ```swift
/// @LossySet var tags: Set<String>     // $tags: [LossyDrop]
/// ```
///
/// A missing key and null give an empty set; anything else that is no array throws. Encodes the elements in no order.
@propertyWrapper
public struct LossySet<Element: Decodable & Hashable>: FieldWrapper {
  /// The elements that could be decoded.
  public var wrappedValue: Set<Element>

  /// Those that could not, each with its index, path and reason.
  public private(set) var projectedValue: [LossyDrop] = []

  /// Wraps a set.
  public init(wrappedValue: Set<Element>) { self.wrappedValue = wrappedValue }

  /// The empty set.
  public static var absent: LossySet? { LossySet(wrappedValue: []) }

  /// False: an empty set is encoded too.
  public var isAbsent: Bool { false }

  /// Decodes the elements that can be decoded.
  ///
  /// - Throws: `DecodingError` when there is neither an array nor null.
  public init(from decoder: any Decoder) throws {
    let array = try LossyArray<Element>(from: decoder)
    wrappedValue = Set(array.wrappedValue)
    projectedValue = array.projectedValue
  }
}

extension LossySet: Encodable where Element: Encodable {
  /// Encodes the elements.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(wrappedValue)
  }
}

extension LossySet: Sendable where Element: Sendable {}

extension LossySet: Equatable {
  /// Whether the elements are equal, whatever was left out.
  public static func == (left: LossySet, right: LossySet) -> Bool { left.wrappedValue == right.wrappedValue }
}
