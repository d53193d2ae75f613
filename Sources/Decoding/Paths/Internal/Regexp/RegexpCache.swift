/// The regular expressions of an evaluation, each compiled once.
struct RegexpCache {
  /// Nil for a malformed pattern, which matches nothing.
  private var known: [[UInt8]: IRegexp?] = [:]
  private var last: (pattern: [UInt8], expression: IRegexp?)?

  /// The limit of the cache, because patterns can come from the document, as many as it has values.
  private static let capacity = 64

  mutating func expression(_ pattern: [UInt8], _ meter: inout WorkMeter) throws(EvaluationError) -> IRegexp? {
    try meter.spend(pattern.count)
    if let last, last.pattern == pattern { return last.expression }
    var expression: IRegexp?
    if let made = known[pattern] { expression = made } else { expression = try make(pattern, &meter) }
    last = (pattern, expression)
    return expression
  }

  private mutating func make(_ pattern: [UInt8], _ meter: inout WorkMeter) throws(EvaluationError) -> IRegexp? {
    try meter.spend(min(pattern.count, IRegexp.maximumPattern) &* WorkMeter.instruction)
    var expression: IRegexp?
    do throws(RegexpError) {
      expression = try IRegexp(pattern)
    } catch {
      guard error == .malformed else { throw .limit("a regular expression is too large") }
    }
    try meter.spend(expression?.cost ?? 0)
    if known.count >= Self.capacity { known.removeAll() }
    known[pattern] = .some(expression)
    return expression
  }
}
