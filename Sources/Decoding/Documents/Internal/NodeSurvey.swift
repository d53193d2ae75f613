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
    var cursor: ChildCursor
    /// Its index among the selected values.
    let match: Int?
    /// The step that leads to it, once one of the values needs it; the outermost container has none.
    var step: UInt32?
  }

  /// - Parameter starts: The starts of the values, sorted and without duplicates.
  init(_ scanner: JSONScanner, values starts: [UInt32], meter: WorkMeter) {
    self.scanner = scanner
    self.meter = meter
    values = starts.map { NodeTable.Value(start: $0) }
  }

  /// Continues to the end of the last selected value.
  mutating func run(from start: Int) throws(EvaluationError) {
    // Selected values are validated even in a trusted document.
    let isTrusted = scanner.core.pointee.isTrusted
    scanner.core.pointee.isTrusted = false
    defer { scanner.core.pointee.isTrusted = isTrusted }
    var offset = start
    while !isDone, offset >= 0 {
      let begin = offset
      let match = meet(offset)
      if scanner.text[offset] | 0x20 == 0x7B {
        guard let cursor = scanner.children(of: offset, depth: open.count) else { throw .malformed }
        open.append(Container(cursor: cursor, match: match, step: match.flatMap { values[$0].step }))
        if match != nil { openMatches += 1 }
      } else if let match {
        let end = scanner.endOfValue(offset, depth: open.count)
        guard end >= 0 else { throw .malformed }
        scanner.took(offset, end)
        values[match].end = UInt32(truncatingIfNeeded: end)
      }
      while !isDone, let last = open.indices.last, !open[last].cursor.next() {
        if open[last].cursor.isFaulty { throw .malformed }
        guard let match = open.removeLast().match else { continue }
        values[match].end = UInt32(truncatingIfNeeded: scanner.core.pointee.lastEnd)
        openMatches -= 1
      }
      offset = open.last?.cursor.value ?? -1
      try meter.spend((max(offset, scanner.core.pointee.lastEnd) &- begin) &* 4)
    }
  }

  private var isDone: Bool { next == values.count && openMatches == 0 }

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
    let (container, step) = (open[level].cursor, open[level].step)
    let key = container.isObject ? container.nameSpan.start : container.index
    steps.append(
      NodeTable.Step(parent: step, key: UInt32(truncatingIfNeeded: key), isName: container.isObject))
    return UInt32(truncatingIfNeeded: steps.count - 1)
  }
}
