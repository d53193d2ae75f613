/// A dictionary that omits members that cannot be decoded. The projected value (`$`) reports the omitted members.
///
/// ```swift
/// @LossyDictionary var prices: [String: Double]     // $prices: [DroppedElement]
/// @LossyDictionary var ranks: [Int: String]         // {"1": "first"}
/// ```
///
/// A missing key, a null value or an empty array, which is how PHP encodes an empty dictionary, yields an empty
/// dictionary. Any other value that is not an object causes an error. A member whose name cannot be converted to a key
/// is also omitted and reported. If several names are converted to the same key, their values are tried in the sorted
/// order of the names, and the dictionary contains the first value that can be decoded. Names are data, so key
/// strategies do not apply to them. Omitted members are not encoded.
@propertyWrapper
public struct LossyDictionary<Key: CodingKeyRepresentable & Hashable, Element: Decodable>: FieldWrapper {
  /// The members that could be decoded.
  public var wrappedValue: [Key: Element]

  /// The members that could not be decoded, sorted by name, each with its path and the reason.
  public private(set) var projectedValue: [DroppedElement] = []

  /// Wraps a dictionary.
  public init(wrappedValue: [Key: Element]) { self.wrappedValue = wrappedValue }

  /// The empty dictionary.
  public static var absent: LossyDictionary? { LossyDictionary(wrappedValue: [:]) }

  /// Always false, because an empty dictionary is encoded too.
  public var isAbsent: Bool { false }

  /// Decodes the members that can be decoded.
  ///
  /// - Throws: `DecodingError` if the value is neither an object nor null nor an empty array.
  public init(from decoder: any Decoder) throws {
    self.init(wrappedValue: [:])
    let container = try decoder.singleValueContainer()
    if container.decodeNil() { return }
    // Decoded as a dictionary, because its names are exempt from a decoder's key strategy, and sorted by name, because
    // a dictionary has no order.
    let members: [String: LossyMember<Element>]
    do {
      members = try container.decode([String: LossyMember<Element>].self)
    } catch {
      guard let elements = try? decoder.unkeyedContainer(), elements.isAtEnd else { throw error }
      return
    }
    for (index, (name, member)) in members.sorted(by: { $0.key < $1.key }).enumerated() {
      // Not the path of the member's decoder: Foundation's contains an index for a name of digits.
      var path: [any CodingKey] { decoder.codingPath + [AnyKey(stringValue: name)] }
      switch (Self.key(name), member.value, member.drop) {
      case (let key?, let value?, _): if wrappedValue[key] == nil { wrappedValue[key] = value }
      case (_?, _, let drop?):
        let place = member.decoder.asBytesDecoder == nil ? JSONPath(codingPath: path, of: decoder) : drop.path
        projectedValue.append(DroppedElement(index: index, path: place, failure: drop.failure))
      default:
        let error = DecodingError.corrupted("\(ExpectedValue.invalidName)\(Key.self)", at: path)
        projectedValue.append(DroppedElement(index: index, codingPath: path, error: error, decoder: member.decoder))
      }
    }
  }

  /// Returns the key for a name. An integer key is created only if the name alone does not create a key.
  private static func key(_ name: String) -> Key? {
    Key(codingKey: AnyKey(stringValue: name)) ?? Int(name).flatMap { Key(codingKey: AnyKey(intValue: $0)) }
  }
}

/// A member that is decoded or dropped; a failure does not affect the other members.
private struct LossyMember<Element: Decodable>: Decodable {
  var value: Element?
  /// Nil if there is a value.
  var drop: DroppedElement?
  let decoder: any Decoder

  init(from decoder: any Decoder) {
    self.decoder = decoder
    do {
      value = try decoder.singleValueContainer().decode(Element.self)
    } catch {
      // Created here, because the decoder only knows where the last error was thrown.
      drop = DroppedElement(index: 0, codingPath: decoder.codingPath, error: error, decoder: decoder)
    }
  }
}

extension LossyDictionary: Encodable where Key: Encodable, Element: Encodable {
  /// Encodes the members.
  public func encode(to encoder: any Encoder) throws {
    // Encoded with string keys, because they are exempt from an encoder's key strategy.
    let members = wrappedValue.map { ($0.key.codingKey.stringValue, $0.value) }
    try encoder.encodeSingleValue([String: Element](members) { first, _ in first })
  }
}

extension LossyDictionary: Sendable where Key: Sendable, Element: Sendable {}

extension LossyDictionary: Equatable where Element: Equatable {
  /// Returns whether the members are equal; dropped members are ignored.
  public static func == (left: LossyDictionary, right: LossyDictionary) -> Bool {
    left.wrappedValue == right.wrappedValue
  }
}
