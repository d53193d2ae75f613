extension FieldStrategy where Value: LosslessStringConvertible & Codable & Numeric & Sendable {
  /// A number, or a text that holds one; encoded as a number.
  public static var numberOrText: FieldStrategy {
    FieldStrategy { container in
      guard let text = try container.decodeIfOfType(String.self) else { return try container.decode(Value.self) }
      guard let value = Value(text) else { throw container.invalid("a number, or a text that holds one") }
      return value
    }
  }
}

extension FieldStrategy where Value == Bool {
  /// A boolean, or what other languages use for one: 0 and 1 as number or text, `true` and `false` as text. Encoded as
  /// a boolean.
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
  /// A text, or a number or boolean as text: for identifiers that come as either. Encoded as a text.
  public static var textOrNumber: FieldStrategy {
    FieldStrategy { container in
      if let text = try container.decodeIfOfType(String.self) { return text }
      if let bool = try container.decodeIfOfType(Bool.self) { return "\(bool)" }
      // What is none of the three fails as a text, which is what was wanted.
      guard let double = try container.decodeIfOfType(Double.self) else { return try container.decode(String.self) }
      // Integers keep their form and all of their digits; what fits neither type is no integer to us.
      if double == double.rounded(), abs(double) <= 0x1p64 {
        if let integer = try? container.decode(Int64.self) { return "\(integer)" }
        if let integer = try? container.decode(UInt64.self) { return "\(integer)" }
      }
      return "\(double)"
    }
  }

  /// An array of texts, joined; a single text is taken as it is. Encoded as the joined text.
  public static func joined(separator: String = ", ") -> FieldStrategy {
    FieldStrategy { container in
      if let text = try container.decodeIfOfType(String.self) { return text }
      return try container.decode([String].self).joined(separator: separator)
    }
  }
}
