/// The kinds of JSON values, identified by their first byte, and their names in errors.
enum ValueKind: String {
  case object = "an object"
  case array = "an array"
  case string = "a string"
  case number = "a number"
  case boolean = "a boolean"
  case null

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
}
