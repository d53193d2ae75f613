/// The progress of validating and skipping one value: all state that is preserved across chunks.
///
/// The kinds of the open containers are stored separately, on the `SkipStack`.
struct SkipProgress {
  enum Phase: UInt8 {
    case value, afterValue, firstKey, key, colon, firstElement
  }

  /// A token that the end of a chunk split.
  enum Token: UInt8 {
    case none, string, number, literal
  }

  var phase = Phase.value
  var token = Token.none
  /// The number of open containers inside the value.
  var depth = 0
  /// Whether the fault was too many containers rather than an invalid byte.
  var isTooDeep = false
  /// For a string: the bytes of the split escape or character, first byte lowest. For a number: its `NumberGrammar`
  /// state. For a literal: its remaining bytes.
  var carry: UInt64 = 0
  var carryCount = 0

  /// Whether the value is complete if no byte follows. Only a top-level number has no end of its own.
  var isCompleteAtEnd: Bool {
    token == .number && depth == 0 && NumberGrammar(rawValue: UInt8(truncatingIfNeeded: carry))?.isAccepting == true
  }
}
