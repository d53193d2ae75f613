/// A dictionary without the members that cannot be decoded, which `$` reports.
///
/// ```swift
/// @LossyDictionary var prices: [String: Double]     // $prices: [LossyDrop]
/// @LossyDictionary var ranks: [Int: String]         // {"1": "first"}
/// ```
///
/// A missing key and null give an empty dictionary; anything else that is no object throws. A name that is no key is
/// reported too. Of names that are the same key the first one in order counts. Encodes the values.
@propertyWrapper
public struct LossyDictionary<Key: CodingKeyRepresentable & Hashable, Element: Decodable>: FieldWrapper {
  /// The members that could be decoded.
  public var wrappedValue: [Key: Element]

  /// Those that could not, by name, each with its path and reason.
  public private(set) var projectedValue: [LossyDrop] = []

  /// Wraps a dictionary.
  public init(wrappedValue: [Key: Element]) { self.wrappedValue = wrappedValue }

  /// The empty dictionary.
  public static var absent: LossyDictionary? { LossyDictionary(wrappedValue: [:]) }

  /// False: an empty dictionary is encoded too.
  public var isAbsent: Bool { false }

  /// Decodes the members that can be decoded.
  ///
  /// - Throws: `DecodingError` when there is neither an object nor null.
  public init(from decoder: any Decoder) throws {
    self.init(wrappedValue: [:])
    if try decoder.singleValueContainer().decodeNil() { return }
    let container = try decoder.container(keyedBy: AnyKey.self)
    // By name, since decoders keep members in no order.
    for (index, name) in container.allKeys.sorted(by: { $0.stringValue < $1.stringValue }).enumerated() {
      do {
        guard let key = Self.key(name) else {
          throw DecodingError.dataCorruptedError(
            forKey: name, in: container, debugDescription: "Expected a name that is a \(Key.self).")
        }
        let value = try container.decode(Element.self, forKey: name)
        if wrappedValue[key] == nil { wrappedValue[key] = value }
      } catch {
        let path = container.codingPath + [AnyKey(stringValue: name.stringValue)]
        let decoder = try? container.superDecoder(forKey: name)
        projectedValue.append(LossyDrop(index: index, codingPath: path, error: error, decoder: decoder))
      }
    }
  }

  /// The key of a name; integers are made of integer keys only.
  private static func key(_ name: AnyKey) -> Key? {
    if let key = Key(codingKey: name) { return key }
    return Int(name.stringValue).flatMap { Key(codingKey: AnyKey(intValue: $0)) }
  }
}

extension LossyDictionary: Encodable where Key: Encodable, Element: Encodable {
  /// Encodes the members.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(wrappedValue)
  }
}

extension LossyDictionary: Sendable where Key: Sendable, Element: Sendable {}

extension LossyDictionary: Equatable where Element: Equatable {
  /// Whether the members are equal, whatever was left out.
  public static func == (left: LossyDictionary, right: LossyDictionary) -> Bool {
    left.wrappedValue == right.wrappedValue
  }
}
