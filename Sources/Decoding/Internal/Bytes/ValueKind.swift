/// The kinds of JSON values, told apart by their first byte.
enum ValueKind: Hashable {
  case object, array, string, number, boolean, null

  init?(firstByte byte: UInt8) {
    switch byte {
    case ASCII.leftBrace: self = .object
    case ASCII.leftBracket: self = .array
    case ASCII.quote: self = .string
    case ASCII.minus, 0x30...0x39: self = .number
    case UInt8(ascii: "t"), UInt8(ascii: "f"): self = .boolean
    case UInt8(ascii: "n"): self = .null
    default: return nil
    }
  }

  /// How an error names a value of this kind.
  var text: String {
    switch self {
    case .object: "an object"
    case .array: "an array"
    case .string: "a string"
    case .number: "a number"
    case .boolean: "a boolean"
    case .null: "null"
    }
  }
}
