extension FieldStrategy where Value: LosslessStringConvertible & Codable & Numeric & Sendable {
  /// A strategy that decodes a number, or a string that contains a number. The value is encoded as a number.
  public static var numberOrString: FieldStrategy {
    FieldStrategy { container in
      guard let text = try container.decodeIfOfType(String.self) else { return try container.decode(Value.self) }
      guard let value = Value(text) else { throw container.invalid("a number or a string that contains one") }
      return value
    }
  }
}

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
  public static var stringOrNumber: FieldStrategy {
    FieldStrategy { container in
      if let text = try container.decodeIfOfType(String.self) { return text }
      if let bool = try container.decodeIfOfType(Bool.self) { return "\(bool)" }
      // A value of another kind fails as a string, which is the expected type.
      guard let double = try container.decodeIfOfType(Double.self) else { return try container.decode(String.self) }
      // Integers keep their form and all of their digits; a number that fits neither type is not treated as an integer.
      if double == double.rounded(), abs(double) <= 0x1p64 {
        if let integer = try? container.decode(Int64.self) { return "\(integer)" }
        if let integer = try? container.decode(UInt64.self) { return "\(integer)" }
      }
      return "\(double)"
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
