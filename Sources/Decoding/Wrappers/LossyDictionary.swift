/// A dictionary without the values that cannot be decoded, which `$` reports.
///
/// ```swift
/// @LossyDictionary var prices: [String: Double]     // $prices: [LossyDrop]
/// ```
///
/// A missing key and null give an empty dictionary; anything else that is no object throws. Encodes the values.
@propertyWrapper
public struct LossyDictionary<Element: Decodable>: FieldWrapper {
  /// The values that could be decoded.
  public var wrappedValue: [String: Element]

  /// Those that could not, by name, each with its path and reason.
  public private(set) var projectedValue: [LossyDrop] = []

  /// Wraps a dictionary.
  public init(wrappedValue: [String: Element]) { self.wrappedValue = wrappedValue }

  /// The empty dictionary.
  public static var absent: LossyDictionary? { LossyDictionary(wrappedValue: [:]) }

  /// False: an empty dictionary is encoded too.
  public var isAbsent: Bool { false }

  /// Decodes the values that can be decoded.
  ///
  /// - Throws: `DecodingError` when there is neither an object nor null.
  public init(from decoder: any Decoder) throws {
    self.init(wrappedValue: [:])
    if try decoder.singleValueContainer().decodeNil() { return }
    let container = try decoder.container(keyedBy: AnyKey.self)
    // By name, since decoders keep members in no order.
    for (index, key) in container.allKeys.sorted(by: { $0.stringValue < $1.stringValue }).enumerated() {
      do {
        wrappedValue[key.stringValue] = try container.decode(Element.self, forKey: key)
      } catch {
        let path = container.codingPath + [AnyKey(stringValue: key.stringValue)]
        let decoder = try? container.superDecoder(forKey: key)
        projectedValue.append(LossyDrop(index: index, codingPath: path, error: error, decoder: decoder))
      }
    }
  }
}

extension LossyDictionary: Encodable where Element: Encodable {
  /// Encodes the values.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(wrappedValue)
  }
}

extension LossyDictionary: Sendable where Element: Sendable {}

extension LossyDictionary: Equatable where Element: Equatable {
  /// Whether the values are equal, whatever was left out.
  public static func == (left: LossyDictionary, right: LossyDictionary) -> Bool {
    left.wrappedValue == right.wrappedValue
  }
}
