/// What a scanner of elements wants done next.
@usableFromInline
enum ScannerAction: Equatable {
  /// The bytes are used up: append a chunk, or say that the stream has ended.
  case needsBytes
  /// The bytes of an element are complete.
  case element(Range<Int>)
  /// There are no more elements.
  case end
}

/// Why no more elements can be found.
struct ScannerFault: Error, Equatable {
  enum Reason: Equatable {
    /// What was expected, if that is known.
    case malformed(String?)
    case tooDeep
    case tooLarge
    /// A step of the path leads to nothing; the names that are there, in an object.
    case missing(step: Int, names: [String])
    /// The value that a step goes into, or the one that should be the array, is of another kind.
    case mismatch(step: Int, ValueKind)
  }

  var reason: Reason
  /// The index in the buffer; negative for a byte that was dropped.
  var index: Int
  /// How many steps of the path lead to the value around it; nil inside an element.
  var step: Int? = 0
}

/// Finds the elements of a stream: a state machine without I/O, which goes on wherever a chunk ends.
protocol ElementScanner {
  /// Looks at what is in the buffer from its cursor on.
  mutating func next(_ buffer: StreamBuffer) throws(ScannerFault) -> ScannerAction
}
