/// Bounds what a path may cost that can select several values.
///
/// Some paths grow with a power of the document: `$..*..*..*` selects every value once for each chain of values around
/// it. These limits end the evaluation of such a path with a ``DecodingFailure`` of kind `limit`. So does the
/// cancellation of the task, with a `CancellationError` as the failure's `underlyingError`. A path of names and indices
/// reads the document once at most, and has no limits. `decode(_:from:at:)` of a decoder has the default ones.
///
/// ```swift
/// var document = JSONDocument(data)
/// document.limits.time = .milliseconds(200)
/// let names: [String] = try document.values(at: "$..name")
/// ```
public struct JSONPathLimits: Hashable, Sendable {
  /// The most work, in bytes of a document that are passed over; nil for 64 times the document, and at least 2²⁸.
  ///
  /// A unit takes about half a nanosecond. All that takes longer, or takes memory, counts as more units. The same path
  /// on the same document always needs the same work.
  public var work: Int?

  /// The longest time that one call may take; nil for no bound.
  ///
  /// It is looked at between two steps of the evaluation, not while a value is decoded.
  public var time: Duration?

  /// Creates limits.
  public init(work: Int? = nil, time: Duration? = nil) {
    self.work = work
    self.time = time
  }

  /// A meter for one call.
  func meter(bytes: Int) -> WorkMeter {
    let (product, overflow) = bytes.multipliedReportingOverflow(by: 64)
    return WorkMeter(limit: work ?? max(1 << 28, overflow ? .max : product), time: time)
  }
}
