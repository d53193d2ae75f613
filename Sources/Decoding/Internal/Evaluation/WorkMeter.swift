/// Counts the work of evaluating a path, and stops it at a limit.
///
/// A unit is the time to pass over one byte of the document: half a nanosecond. Whatever takes longer costs more units,
/// and so does memory, so that a limit of work bounds both.
struct WorkMeter {
  /// A value that is looked at.
  static let value = 32
  /// The same behind an arbitrary decoder.
  static let decoderValue = 128
  /// A value that a path has selected; decoding it costs more, by its bytes.
  static let match = 64
  static let decodedByte = 8
  /// One test in a filter.
  static let test = 24
  /// A byte of a text or of a number that cannot be compared in place.
  static let copiedByte = 4
  static let digit = 16
  /// What is kept of a value: an entry of an index or of a table.
  static let entry = 80
  /// An instruction of a regular expression, and a set of characters in one, when it is made.
  static let instruction = 32
  static let characterSet = 2048
  /// A state of a regular expression when a character is read, and when that is not ASCII.
  static let state = 6
  static let wideState = 40

  let limit: Int
  private let deadline: ContinuousClock.Instant?
  private(set) var spent = 0
  /// Where the limit, the deadline and the task are looked at next.
  private var checkpoint: Int

  /// Reading the clock costs about a hundred units.
  private static let interval = 1 << 16

  init(limit: Int, time: Duration? = nil) {
    self.limit = limit
    deadline = time.map { .now + $0 }
    checkpoint = min(limit, Self.interval)
  }

  /// Charges for work that is about to be done, or was done.
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
