/// Limits on the cost of evaluating paths that can select several values.
///
/// The cost of evaluating some paths grows polynomially with the document's size. For example, `$..*..*..*` selects
/// each value once for every combination of enclosing values that leads to it. An evaluation that exceeds one of the
/// limits stops with a ``LocatedDecodingError`` of kind `limit`. If the task is cancelled, the evaluation also stops
/// with an error of this kind, and the error's `underlyingError` is a `CancellationError`. Evaluating a path that
/// consists only of names and indices reads the document at most once, so the limits do not apply to it. A decoder's
/// `decode(_:from:at:)` uses the default limits.
///
/// ```swift
/// var document = JSONDocument(data)
/// document.limits.time = .milliseconds(200)
/// let names: [String] = try document.values(at: "$..name")
/// ```
public struct JSONPathLimits: Hashable, Sendable {
  /// The maximum amount of work in one call, in units of the work that it takes to skip one byte. If nil, the maximum
  /// is 64 units per byte of the document, but at least 2²⁸ units.
  ///
  /// A unit takes about half a nanosecond. Operations that take longer or allocate memory count as several units.
  /// Evaluating the same path on the same document always takes the same amount of work, even on a slower machine.
  public var work: Int?

  /// The maximum duration of one call, or nil for no limit.
  ///
  /// The duration is checked between steps of the evaluation, but not while a value is being decoded.
  public var time: Duration?

  /// Creates limits.
  public init(work: Int? = nil, time: Duration? = nil) {
    self.work = work
    self.time = time
  }

  /// Creates a meter for one call.
  func meter(bytes: Int) -> WorkMeter {
    let (product, overflow) = bytes.multipliedReportingOverflow(by: 64)
    return WorkMeter(limit: work ?? max(1 << 28, overflow ? .max : product), time: time)
  }
}
