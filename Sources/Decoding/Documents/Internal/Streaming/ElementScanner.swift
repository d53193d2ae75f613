/// The next action that an element scanner requests.
@usableFromInline
enum ScannerAction: Equatable {
  /// All buffered bytes are used: append a chunk, or report the end of the stream.
  case needsBytes
  /// The bytes of an element are complete.
  case element(Range<Int>)
  /// There are no more elements.
  case end
}

/// Why no more elements can be found.
struct ScannerFault: Error, Equatable {
  enum Reason: Equatable {
    /// What was expected, if known.
    case malformed(String?)
    case tooDeep
    case tooLarge
    /// A step of the path leads to nothing; `names` are those that exist in an object.
    case missing(step: Int, names: [String])
    /// A step leads into a value of the wrong kind, or the value that should be the array is of another kind.
    case mismatch(step: Int, ValueKind)
  }

  var reason: Reason
  /// The index in the buffer.
  var index: Int
  /// The number of steps that lead to the value around the fault; nil inside an element.
  var step: Int? = 0
}

/// Finds the elements of a stream: a state machine without I/O that resumes wherever a chunk ends.
protocol ElementScanner {
  /// Scans the buffer from its cursor.
  mutating func next(_ buffer: StreamBuffer) throws(ScannerFault) -> ScannerAction
}
