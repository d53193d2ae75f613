/// Where the validating skip of one value stands: all that survives the end of a chunk.
///
/// The kinds of the open containers are on the `SkipStack` beside it.
struct SkipProgress {
  enum Phase: UInt8 {
    case value, afterValue, firstKey, key, colon, firstElement
  }

  /// A token that the end of a chunk has cut.
  enum Token: UInt8 {
    case none, string, number, literal
  }

  var phase = Phase.value
  var token = Token.none
  /// How many containers are open inside the value.
  var depth = 0
  /// Whether a fault was a container too many rather than a wrong byte.
  var isTooDeep = false
  /// Of a string: the bytes of the escape or character that was cut, first byte lowest. Of a number: its
  /// `NumberGrammar` state. Of a literal: its bytes that are still to come.
  var carry: UInt64 = 0
  var carryCount = 0

  /// Whether the value is complete if no byte follows: only a number at the top has no end of its own.
  var isCompleteAtEnd: Bool {
    token == .number && depth == 0 && NumberGrammar(rawValue: UInt8(truncatingIfNeeded: carry))?.isAccepting == true
  }
}
