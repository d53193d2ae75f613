internal import Foundation

extension JSONNumber: Decodable {
  /// Decodes a number, by ``JSONBytesDecoder`` with the digits that it is written with; others keep its value as far as
  /// they have a type for it.
  ///
  /// - Throws: `DecodingError` for anything else.
  public init(from decoder: any Decoder) throws {
    if let decoder = decoder.asBytesDecoder {
      self = try decoder.jsonNumber()
    } else {
      self = try JSONNumber(from: try decoder.singleValueContainer())
    }
  }

  /// Asks a container for the type that loses the least.
  init(from container: any SingleValueDecodingContainer) throws {
    if let integer = try? container.decode(Int64.self) {
      self.init(integer)
    } else if let integer = try? container.decode(UInt64.self) {
      self.init(integer)
    } else {
      let double = try container.decode(Double.self)
      // A decimal has more digits, but fewer exponents: it counts where it means the same.
      if let decimal = try? container.decode(Decimal.self), let number = JSONNumber(decimal), number.double == double {
        self = number
      } else if let number = JSONNumber(double) {
        self = number
      } else {
        throw container.invalid("Expected a number, as JSON has them.")
      }
    }
  }
}

extension JSONNumber: Encodable {
  /// Encodes the number as an integer or a double; as a decimal where that says more, by Foundation's encoder for JSON.
  ///
  /// - Throws: `EncodingError.invalidValue` for a number that is too large for the encoder.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    if let integer = integer(as: Int64.self) {
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
        throw EncodingError.invalidValue(
          self,
          EncodingError.Context(codingPath: encoder.codingPath, debugDescription: "The number is too large."))
      }
    }
  }

  /// Whether the encoder writes a `Decimal` as a number: Foundation's for JSON does, others as an object of its parts.
  private static func keepsDecimals(_ encoder: any Encoder) -> Bool {
    let name = String(reflecting: Swift.type(of: encoder))
    return name.hasPrefix("Foundation") && name.contains("JSON")
  }
}
