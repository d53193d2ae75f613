/// Measures the work of evaluating a path, and stops it at a limit.
///
/// A unit is the time to skip one byte of the document: half a nanosecond. Slower operations cost more units, and so
/// does memory, so one limit bounds both.
struct WorkMeter {
  /// Inspecting a value.
  static let value = 32
  /// Inspecting a value through an arbitrary decoder.
  static let decoderValue = 128
  /// A value that a path selected; decoding it costs extra, depending on its bytes.
  static let match = 64
  static let decodedByte = 8
  /// One test of a filter.
  static let test = 24
  /// A byte of a string or number that cannot be compared in place.
  static let copiedByte = 4
  static let digit = 16
  /// Storing a value: an entry of an index or a table.
  static let entry = 80
  /// Creating an instruction or a character set of a regular expression.
  static let instruction = 32
  static let characterSet = 2048
  /// Advancing one state of a regular expression by one character, and the extra cost of a non-ASCII one.
  static let state = 6
  static let wideState = 40

  let limit: Int
  private let deadline: ContinuousClock.Instant?
  private(set) var spent = 0
  /// The amount of work at which the limit, the deadline and cancellation are checked next.
  private var checkpoint: Int

  /// Reading the clock costs about a hundred units.
  private static let interval = 1 << 16

  init(limit: Int, time: Duration? = nil) {
    self.limit = limit
    deadline = time.map { .now + $0 }
    checkpoint = min(limit, Self.interval)
  }

  /// Charges for work that is about to be done or has been done.
  @inline(__always)
  mutating func spend(_ units: Int) throws(EvaluationError) {
    spent &+= units
    if spent > checkpoint { try check() }
  }

  @inline(never)
  private mutating func check() throws(EvaluationError) {
    guard spent <= limit else { throw .limit("the path needs too much work on this document") }
    if Task.isCancelled { throw .cancelled }
    if let deadline, .now > deadline { throw .limit("the path takes too much time on this document") }
    checkpoint = min(limit, spent + Self.interval)
  }
}
