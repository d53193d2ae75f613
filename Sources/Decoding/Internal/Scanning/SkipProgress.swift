/// The progress of validating and skipping one value: all state that is preserved across chunks.
///
/// The kinds of the open containers are stored separately, on the `SkipStack`.
struct SkipProgress {
  enum Phase: UInt8 {
    case value, afterValue, firstKey, key, colon, firstElement
  }

  /// A token that the end of a chunk split and that need not be read again from its beginning.
  enum Token: UInt8 {
    case none, string, number
  }

  var phase = Phase.value
  /// The number of open containers inside the value.
  var depth = 0
  var token = Token.none
  /// Where a split number is in its grammar.
  var number = NumberGrammar.start
  /// Where the bytes begin that are needed again together with the next chunk: a split character or literal.
  var stop = 0
  /// Whether the fault was too many containers rather than an invalid byte.
  var isTooDeep = false

  /// Whether the value is complete if no byte follows. Only a top-level number has no end of its own.
  var isCompleteAtEnd: Bool { token == .number && depth == 0 && number.isAccepting }
}
