internal import Foundation

extension JSONValue: Decodable {
  /// Decodes any value. With ``JSONBytesDecoder``, nothing is lost; <doc:AnyJSON> describes what other decoders
  /// preserve.
  ///
  /// - Throws: Any error that the decoder throws, for example because a property list contains a date, which JSON
  ///   cannot represent. With a decoder from outside this module, `DecodingError.dataCorrupted` is also thrown if
  ///   values are nested more than 100 levels deep.
  public init(from decoder: any Decoder) throws {
    if let decoder = decoder.asBytesDecoderOfWhole {
      self = try decoder.jsonValue()
      return
    }
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let string = try? container.decode(String.self) {
      self = .string(string)
    } else if let bool = try? container.decode(Bool.self) {
      self = .bool(bool)
    } else if (try? decoder.container(keyedBy: AnyKey.self)) != nil {
      try Self.checkDepth(of: decoder)
      // Decoded as a dictionary, because its names are exempt from a decoder's key strategy.
      self = .object(JSONObject(try container.decode([String: JSONValue].self)))
    } else if (try? decoder.unkeyedContainer()) != nil {
      try Self.checkDepth(of: decoder)
      self = .array(JSONArray(try container.decode([JSONValue].self)))
    } else {
      self = .number(try JSONNumber(from: container))
    }
  }

  /// The maximum depth: decoders and encoders recurse once per level, and the smallest stacks have 512 KB.
  fileprivate static let maximumDepth = 100

  private static func checkDepth(of decoder: any Decoder) throws {
    let path = decoder.codingPath
    guard path.count < maximumDepth else {
      throw DecodingError.corrupted(
        "Values nested more than \(maximumDepth) levels deep cannot be decoded.", at: path)
    }
  }
}

extension JSONValue: Encodable {
  /// Encodes the value. <doc:AnyJSON> describes what encoders preserve.
  ///
  /// - Throws: With an encoder from outside this module, `EncodingError.invalidValue` if a number is too large for the
  ///   encoder, or if values are nested more than 100 levels deep. The nesting depth is limited because these encoders
  ///   recurse. The ``data`` property has neither of these limits.
  public func encode(to encoder: any Encoder) throws {
    guard encoder.keepsForm else { return try EncodedPart(value: self, depth: 0).encode(to: encoder) }
    try encoder.encodeSingleValue(self)
  }
}

extension JSONObject: Codable {
  /// Decodes an object in the same way as a ``JSONValue``.
  ///
  /// - Throws: The same errors as ``JSONValue/init(from:)``, and `DecodingError.typeMismatch` for any other value.
  public init(from decoder: any Decoder) throws {
    guard let object = try JSONValue(from: decoder).object else {
      throw DecodingError.typeMismatch(
        JSONObject.self,
        DecodingError.Context(codingPath: decoder.codingPath, debugDescription: "Expected an object."))
    }
    self = object
  }

  /// Encodes the object in the same way as a ``JSONValue``.
  ///
  /// - Throws: The same errors as ``JSONValue/encode(to:)``.
  public func encode(to encoder: any Encoder) throws { try JSONValue.object(self).encode(to: encoder) }
}

/// A value, and the number of containers of the same tree around it.
private struct EncodedPart: Encodable {
  let value: JSONValue
  let depth: Int

  func encode(to encoder: any Encoder) throws {
    switch value {
    case .null:
      var container = encoder.singleValueContainer()
      try container.encodeNil()
    case .bool(let bool): try bool.encode(to: encoder)
    case .string(let string): try string.encode(to: encoder)
    case .number(let number): try number.encode(to: encoder)
    case .array(let array):
      let parts = try array.map { try part($0, encoder) }
      try encoder.encodeSingleValue(parts)
    case .object(let object):
      // Encoded as a dictionary, because its names are exempt from an encoder's key strategy.
      let parts = try object.map { ($0.name, try part($0.value, encoder)) }
      try encoder.encodeSingleValue([String: EncodedPart](parts) { first, _ in first })
    }
  }

  private func part(_ value: JSONValue, _ encoder: any Encoder) throws -> EncodedPart {
    guard depth < JSONValue.maximumDepth else {
      throw EncodingError.invalid(
        value, at: encoder.codingPath,
        "Values nested more than \(JSONValue.maximumDepth) levels deep cannot be encoded.")
    }
    return EncodedPart(value: value, depth: depth + 1)
  }
}
