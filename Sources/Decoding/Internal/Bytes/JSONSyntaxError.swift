/// Where bytes stop being JSON, and why.
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
    case unexpectedAfterValue = "nothing may follow the document's value"
    case invalidNumber = "not a number as JSON writes it"
    case invalidLiteral = "expected true, false or null"
    case invalidEscape = "not an escape of JSON"
    case controlCharacter = "a control character in a string is written as an escape"
    case invalidUTF8 = "these bytes are not UTF-8"
    case tooDeep = "nested too deeply"
    case tooLarge = "more names in an object, or a longer one, than can be kept"
    case unreadable = "half of a surrogate pair, or another character that is none"

    /// Whether the bytes may be JSON, and are just more than is read.
    var isLimit: Bool { self == .tooDeep || self == .tooLarge }
  }
}
