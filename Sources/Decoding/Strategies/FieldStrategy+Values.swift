extension FieldStrategy where Value: LosslessStringConvertible & Codable & Numeric & Sendable {
  /// A strategy that decodes a number, or a string that contains a number as JSON writes it. The value is encoded as a
  /// number.
  ///
  /// Both are converted in the same way: `"1.0"` is an integer, and `"1e400"` does not fit into a `Double`. An empty
  /// string is nil where the value is optional.
  public static var numberOrString: FieldStrategy {
    var strategy = FieldStrategy { container in
      guard let text = try container.decodeIfOfType(String.self) else { return try container.decode(Value.self) }
      // The decoder may have an option that takes a string for a number.
      guard let value = try JSONNumber(text)?.converted(to: Value.self) ?? container.decodeIfOfType(Value.self) else {
        throw container.invalid("a number or a string that contains one")
      }
      return value
    }
    strategy.isNilIfEmpty = true
    return strategy
  }
}

extension JSONNumber {
  /// Returns the number as a document's number is decoded. A type that is not encoded as a number converts the digits.
  fileprivate func converted<Value: LosslessStringConvertible & Codable>(to type: Value.Type) -> Value? {
    if let value = try? numberDecoder.decode(type, from: Array(text.utf8)) { return value }
    return Value(text).flatMap { JSONNumber("\($0)") == nil || type is any JSONScalar.Type ? nil : $0 }
  }
}

private let numberDecoder = JSONBytesDecoder()

extension FieldStrategy where Value == Bool {
  /// A strategy that decodes a boolean, or a value that other languages use in place of a boolean: 0 or 1 as a number
  /// or a string, or `true` or `false` as a string. The value is encoded as a boolean.
  public static var boolOrNumber: FieldStrategy {
    FieldStrategy { container in
      if let bool = try container.decodeIfOfType(Bool.self) { return bool }
      let text = try container.decodeIfOfType(String.self) ?? "\(try container.decode(Int.self))"
      switch text {
      case "1", "true": return true
      case "0", "false": return false
      default: throw container.invalid("0, 1, true or false")
      }
    }
  }
}

extension FieldStrategy where Value == String {
  /// A strategy that decodes a string, or converts a number or boolean to a string. Use it for identifiers that can be
  /// either strings or numbers. The value is encoded as a string.
  ///
  /// With ``JSONBytesDecoder``, the string has the digits of the document. Other decoders do not provide them, so that
  /// only integers of up to 64 bits are accepted.
  public static var stringOrNumber: FieldStrategy {
    FieldStrategy { container in
      if let text = try container.decodeIfOfType(String.self) { return text }
      if let bool = try container.decodeIfOfType(Bool.self) { return "\(bool)" }
      if let digits = try container.decodeIfOfType(NumberDigits.self)?.text { return digits }
      if let integer = try? container.decode(Int64.self) { return "\(integer)" }
      if let integer = try? container.decode(UInt64.self) { return "\(integer)" }
      // A value of another kind fails as a string, which is the expected type.
      guard try container.decodeIfOfType(Double.self) != nil else { return try container.decode(String.self) }
      throw container.invalid("a string or an integer of up to 64 bits")
    }
  }

  /// A strategy that decodes an array of strings and joins them into one string. A single string is decoded unchanged.
  /// The value is encoded as the joined string.
  public static func joined(separator: String = ", ") -> FieldStrategy {
    FieldStrategy { container in
      if let text = try container.decodeIfOfType(String.self) { return text }
      return try container.decode([String].self).joined(separator: separator)
    }
  }
}

/// The digits of a number in the document; nil if the decoder does not provide them.
private struct NumberDigits: Decodable {
  let text: String?

  init(from decoder: any Decoder) throws { text = try decoder.asBytesDecoderOfWhole?.jsonNumber().text }
}
