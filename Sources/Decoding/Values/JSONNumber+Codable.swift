internal import Foundation

extension JSONNumber: Decodable {
  /// Decodes a number. ``JSONBytesDecoder`` preserves the digits as written; other decoders preserve the value as
  /// precisely as their number types allow.
  ///
  /// - Throws: `DecodingError` if the value is not a number.
  public init(from decoder: any Decoder) throws {
    if let decoder = decoder.asBytesDecoderOfWhole {
      self = try decoder.jsonNumber()
    } else {
      self = try JSONNumber(from: try decoder.singleValueContainer())
    }
  }

  /// Decodes the number with the type that loses the least.
  init(from container: any SingleValueDecodingContainer) throws {
    if let integer = try? container.decode(Int64.self) {
      self.init(integer)
    } else if let integer = try? container.decode(UInt64.self) {
      self.init(integer)
    } else {
      let double = try container.decode(Double.self)
      // A decimal has more digits but fewer exponents, so it is used only if it has the same value as the double.
      if let decimal = try? container.decode(Decimal.self), let number = JSONNumber(decimal), number.double == double {
        self = number
      } else if let number = JSONNumber(double) {
        self = number
      } else {
        throw container.invalid("a number that JSON can represent")
      }
    }
  }
}

extension JSONNumber: Encodable {
  /// Encodes the number. ``JSONBytesEncoder`` writes the digits unchanged. With other encoders, the number is encoded
  /// as an integer or a double. With Foundation's JSON encoder, it is encoded as a `Decimal` if a double cannot
  /// represent it exactly but a `Decimal` can.
  ///
  /// - Throws: `EncodingError.invalidValue` for a number that is too large for the encoder.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    if container is ValueEncoder {
      try container.encode(self)
    } else if let integer = integer(as: Int64.self) {
      try container.encode(integer)
    } else if let integer = integer(as: UInt64.self) {
      try container.encode(integer)
    } else {
      let double = double
      if JSONNumber(double) != self, Self.keepsDecimals(encoder), let decimal, JSONNumber(decimal) == self {
        try container.encode(decimal)
      } else if double.isFinite {
        try container.encode(double)
      } else {
        throw EncodingError.invalid(self, at: encoder.codingPath, "The number is too large.")
      }
    }
  }

  /// Whether the encoder writes a `Decimal` as a number. Foundation's JSON encoder does; others write an object of its
  /// parts.
  private static func keepsDecimals(_ encoder: any Encoder) -> Bool {
    let name = String(reflecting: Swift.type(of: encoder))
    return name.hasPrefix("Foundation") && name.contains("JSON")
  }
}
