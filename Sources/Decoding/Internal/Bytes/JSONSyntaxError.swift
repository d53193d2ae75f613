/// The offset at which bytes stop being JSON, and the reason.
struct JSONSyntaxError: Error, Hashable {
  var offset: Int
  var reason: Reason

  enum Reason: String, Hashable {
    case endOfInput = "the document ends too early"
    case expectedValue = "expected a value"
    case expectedName = "expected a name in double quotes"
    case expectedColon = "expected `:` after a name"
    case expectedCommaOrBrace = "expected `,` or `}`"
    case expectedCommaOrBracket = "expected `,` or `]`"
    case unexpectedAfterValue = "expected the end of the document"
    case invalidNumber = "invalid number"
    case invalidLiteral = "expected true, false or null"
    case invalidEscape = "invalid escape sequence"
    case controlCharacter = "a control character in a string must be escaped"
    case invalidUTF8 = "these bytes are not UTF-8"
    case tooDeep = "nested too deeply"
    case tooLarge = "too many names in an object, or a name that is too long"
    case unreadable = "an unpaired surrogate or another invalid character"

    /// Whether the bytes may be JSON but exceed a limit of the reader.
    var isLimit: Bool { self == .tooDeep || self == .tooLarge }
  }
}
