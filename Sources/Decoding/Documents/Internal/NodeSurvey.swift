/// Iterates over a document once and records where the selected values end and which steps lead to them.
struct NodeSurvey {
  private let scanner: JSONScanner
  private var meter: WorkMeter
  /// The selected values, by their starts; those before `next` have been reached.
  private(set) var values: [NodeTable.Value]
  private(set) var steps: [NodeTable.Step] = []
  private var next = 0
  /// The number of selected containers that have not ended.
  private var openMatches = 0
  private var open: [Container] = []

  /// An object or array around the current offset.
  private struct Container {
    let isObject: Bool
    /// Its index among the selected values.
    let match: Int?
    /// The step that leads to it, once one of the values needs it; the outermost container has none.
    var step: UInt32?
    /// The current member or element: where its name starts, or its index.
    var key: UInt32 = 0
  }

  /// - Parameter starts: The starts of the values, sorted and without duplicates.
  init(_ scanner: JSONScanner, values starts: [UInt32], meter: WorkMeter) {
    self.scanner = scanner
    self.meter = meter
    values = starts.map { NodeTable.Value(start: $0) }
  }

  /// Continues to the end of the last selected value.
  mutating func run(from start: Int) throws(EvaluationError) {
    let text = scanner.text
    var index = start
    values: while !isDone {
      guard index < text.count else { throw malformed(index) }
      let begin = index
      let match = meet(index)
      if text[index] | 0x20 == 0x7B {
        let isEmpty = try enter(&index, match)
        try meter.spend((index &- begin) &* 4)
        if !isEmpty { continue values }
      } else {
        index = text.skipScalar(index)
        if index < 0 { throw malformed(~index) }
        if let match { values[match].end = UInt32(truncatingIfNeeded: index) }
        try meter.spend((index &- begin) &* 4)
      }
      while !open.isEmpty, !isDone {
        index = text.skipSpace(index)
        guard index < text.count else { throw malformed(index) }
        if text[index] == ASCII.comma {
          try moveOn(&index)
          continue values
        }
        guard text[index] == closingBracket else { throw malformed(index) }
        index &+= 1
        leave(index)
      }
    }
  }

  private var isDone: Bool { next == values.count && openMatches == 0 }

  /// The closing bracket of the innermost container.
  private var closingBracket: UInt8 { open[open.count - 1].isObject ? ASCII.rightBrace : ASCII.rightBracket }

  /// Records the value that starts at an offset if it is selected.
  private mutating func meet(_ index: Int) -> Int? {
    guard next < values.count, values[next].start == index else { return nil }
    if !open.isEmpty {
      // The steps to the containers around it, from the innermost that has one.
      let known = open.lastIndex { $0.step != nil } ?? 0
      for level in open.indices.dropFirst(known + 1) { open[level].step = addStep(into: level - 1) }
      values[next].step = addStep(into: open.count - 1)
    }
    next += 1
    return next - 1
  }

  /// Adds the step from a container to its current value.
  private mutating func addStep(into level: Int) -> UInt32 {
    let container = open[level]
    steps.append(NodeTable.Step(parent: container.step, key: container.key, isName: container.isObject))
    return UInt32(truncatingIfNeeded: steps.count - 1)
  }

  /// Opens the container at an offset and advances to its first value, or to its bracket if it is empty.
  private mutating func enter(_ index: inout Int, _ match: Int?) throws(EvaluationError) -> Bool {
    let text = scanner.text
    guard open.count < scanner.core.pointee.depthLimit else {
      scanner.setFault(index, .tooDeep)
      throw .malformed
    }
    let isObject = text[index] == ASCII.leftBrace
    open.append(Container(isObject: isObject, match: match, step: match.flatMap { values[$0].step }))
    if match != nil { openMatches += 1 }
    index = text.skipSpace(index + 1)
    guard index < text.count else { throw malformed(index) }
    if text[index] == closingBracket { return true }
    if isObject { try skipName(&index) }
    return false
  }

  /// Advances from a comma to the next value.
  private mutating func moveOn(_ index: inout Int) throws(EvaluationError) {
    index = scanner.text.skipSpace(index + 1)
    guard index < scanner.text.count else { throw malformed(index) }
    if open[open.count - 1].isObject { try skipName(&index) } else { open[open.count - 1].key += 1 }
  }

  /// Closes the innermost container, which ends before an offset.
  private mutating func leave(_ end: Int) {
    guard let match = open.removeLast().match else { return }
    values[match].end = UInt32(truncatingIfNeeded: end)
    openMatches -= 1
  }

  private mutating func skipName(_ index: inout Int) throws(EvaluationError) {
    let text = scanner.text
    guard text[index] == ASCII.quote else { throw malformed(index) }
    open[open.count - 1].key = UInt32(truncatingIfNeeded: index + 1)
    let end = text.skipString(index + 1)
    if end < 0 { throw malformed(~end) }
    index = text.skipSpace(end)
    guard index < text.count, text[index] == ASCII.colon else { throw malformed(index) }
    index = text.skipSpace(index + 1)
    guard index < text.count else { throw malformed(index) }
  }

  private func malformed(_ offset: Int) -> EvaluationError {
    scanner.setFault(min(offset, scanner.text.count))
    return .malformed
  }
}
