/// Finds the elements of the array at a path.
///
/// Values on the way are validated (or trusted). For elements only the byte ranges are found, because their decoder
/// validates them.
struct ArrayScanner: ElementScanner {
  private enum Phase {
    case start
    /// Before the value that the given number of steps leads to.
    case value(step: Int)
    case firstName(step: Int), name(step: Int)
    /// After a name; `isWanted` is whether it matches the step.
    case colon(step: Int, isWanted: Bool)
    case passing(step: Int, position: Int)
    /// After a member, whose position is -1, or after an item of an array.
    case behindMember(step: Int, position: Int)
    /// Before an item of an array; the items of the array behind the last step are the elements.
    case firstItem(step: Int), item(step: Int, position: Int)
    case end
  }

  private let steps: [PathStep]
  private let isTrusted: Bool
  private let maximumSize: Int
  private let stack: SkipStack
  private var phase = Phase.start
  /// The value that is being skipped or delimited when the buffered bytes run out inside it.
  private var pending = Pending.none
  private var skip = SkipProgress()
  /// The names skipped in the current object, for the error if none matches.
  private var names: [String] = []
  private var structure = StructureProgress(depth: 0)

  private enum Pending { case none, structural, validating }

  init(steps: [PathStep], isTrusted: Bool, maximumSize: Int, maximumDepth: Int) {
    self.steps = steps
    self.isTrusted = isTrusted
    self.maximumSize = maximumSize
    stack = SkipStack(capacity: maximumDepth)
  }

  mutating func next(_ buffer: StreamBuffer) throws(ScannerFault) -> ScannerAction {
    do throws(ScannerFault) {
      return try find(buffer)
    } catch {
      var fault = error
      fault.step = currentStep
      throw fault
    }
  }

  private mutating func find(_ buffer: StreamBuffer) throws(ScannerFault) -> ScannerAction {
    if case .end = phase { return .end }
    while true {
      let text = buffer.text
      let action = try step(text, buffer)
      guard let action else { continue }
      if action == .needsBytes {
        if buffer.isFinished {
          throw ScannerFault(reason: .malformed("the stream ends too early"), index: text.count)
        }
        if let mark = buffer.mark, text.count - mark > maximumSize {
          throw ScannerFault(reason: .tooLarge, index: mark)
        }
      }
      if case .element(let range) = action, range.count > maximumSize {
        throw ScannerFault(reason: .tooLarge, index: range.lowerBound)
      }
      return action
    }
  }

  /// The number of steps that lead to the current value; nil for an element.
  private var currentStep: Int? {
    switch phase {
    case .start: 0
    case .item(steps.count, _): nil
    case .value(let step), .firstName(let step), .name(let step), .colon(let step, _), .passing(let step, _),
      .behindMember(let step, _), .firstItem(let step), .item(let step, _):
      step
    case .end: steps.count
    }
  }

  /// Performs one step; returns nil to continue with the next.
  private mutating func step(
    _ text: ByteView, _ buffer: StreamBuffer
  ) throws(ScannerFault) -> ScannerAction? {
    if pending == .none {
      if case .start = phase {
        guard buffer.skipByteOrderMark() else { return .needsBytes }
        phase = .value(step: 0)
      }
      buffer.cursor = text.skipSpace(buffer.cursor)
      guard buffer.cursor < text.count else { return .needsBytes }
    }
    let index = buffer.cursor
    switch phase {
    case .start, .end: return .end
    case .value(let step): try open(text, buffer, step)
    case .firstName(let step) where text[index] == 0x7D, .firstItem(let step) where text[index] == 0x5D:
      return try close(step, buffer)
    case .firstName(let step), .name(let step): return try name(text, buffer, step)
    case .colon(let step, let isWanted):
      try expect(0x3A, text, buffer, "expected `:` after a name")
      phase = isWanted ? .value(step: step + 1) : .passing(step: step, position: -1)
    case .passing(let step, let position):
      guard try pass(text, buffer, validates: !isTrusted) != nil else { return .needsBytes }
      phase = .behindMember(step: step, position: position)
    case .behindMember(let step, let position):
      if text[index] == (position < 0 ? 0x7D : 0x5D) { return try close(step, buffer) }
      try expect(
        0x2C, text, buffer, step < steps.count ? "expected `,` or the end of the container" : "expected `,` or `]`")
      phase = position < 0 ? .name(step: step) : .item(step: step, position: position + 1)
    case .firstItem(let step): phase = .item(step: step, position: 0)
    case .item(steps.count, let position): return try element(text, buffer, position)
    case .item(let step, let position):
      let isWanted = steps[step] == .index(position)
      phase = isWanted ? .value(step: step + 1) : .passing(step: step, position: position)
    }
    return nil
  }

  /// Leaves the array of elements; any other container that ends here lacks the step.
  private mutating func close(_ step: Int, _ buffer: StreamBuffer) throws(ScannerFault) -> ScannerAction {
    guard step == steps.count else {
      throw ScannerFault(reason: .missing(step: step, names: names), index: buffer.cursor)
    }
    phase = .end
    buffer.cursor += 1
    return .end
  }

  /// Enters the object or array that a step leads into, or the array of elements.
  private mutating func open(_ text: ByteView, _ buffer: StreamBuffer, _ step: Int) throws(ScannerFault) {
    let index = buffer.cursor
    guard let kind = ValueKind(firstByte: text[index]) else {
      throw ScannerFault(reason: .malformed("expected a value"), index: index)
    }
    guard step <= stack.capacity else { throw ScannerFault(reason: .tooDeep, index: index) }
    switch (kind, step < steps.count ? steps[step] : nil) {
    case (.object, .name): phase = .firstName(step: step)
    case (.array, .index), (.array, nil): phase = .firstItem(step: step)
    default: throw ScannerFault(reason: .mismatch(step: step, kind), index: index)
    }
    buffer.cursor = index + 1
  }

  /// Reads a complete name of an object on the way and compares it.
  private mutating func name(
    _ text: ByteView, _ buffer: StreamBuffer, _ step: Int
  ) throws(ScannerFault) -> ScannerAction? {
    phase = .name(step: step)
    let start = buffer.mark ?? buffer.cursor
    guard text[start] == 0x22 else {
      throw ScannerFault(reason: .malformed("expected a name in double quotes"), index: start)
    }
    buffer.mark = start
    guard let end = try pass(text, buffer, validates: true) else { return .needsBytes }
    buffer.mark = nil
    let isWanted = steps[step] == .name(ByteString(unescaped: text.unescaped(start + 1..<end - 1)))
    if isWanted {
      names = []
    } else if names.count < ByteView.siblingLimit {
      names.append(text.shortName(start + 1..<end - 1, isEscaped: true))
    }
    phase = .colon(step: step, isWanted: isWanted)
    return nil
  }

  /// Finds the end of an element.
  private mutating func element(
    _ text: ByteView, _ buffer: StreamBuffer, _ position: Int
  ) throws(ScannerFault) -> ScannerAction? {
    let start = buffer.mark ?? buffer.cursor
    buffer.mark = start
    guard let end = try pass(text, buffer, validates: text[start] | 0x20 != 0x7B) else { return .needsBytes }
    buffer.mark = nil
    phase = .behindMember(step: steps.count, position: position)
    return .element(start..<end)
  }

  /// Skips the value at the cursor, or continues to skip it; nil if the bytes ran out.
  private mutating func pass(
    _ text: ByteView, _ buffer: StreamBuffer, validates: Bool
  ) throws(ScannerFault) -> Int? {
    let start = buffer.cursor
    if pending == .none {
      if !validates, text[start] | 0x20 == 0x7B {
        pending = .structural
        structure = StructureProgress(depth: 0)
      } else {
        pending = .validating
        skip = SkipProgress()
      }
    }
    let end: Int
    if pending == .structural {
      end = text.skipStructure(start, &structure)
    } else {
      end = text.skipValue(start, &skip, kinds: stack.kinds, limit: stack.capacity - steps.count)
    }
    if end == ranOut {
      buffer.cursor = pending == .structural ? text.count : skip.stop
      return nil
    }
    pending = .none
    if end < 0 { throw ScannerFault(reason: skip.isTooDeep ? .tooDeep : .malformed(nil), index: ~end) }
    buffer.cursor = end
    return end
  }

  private func expect(
    _ byte: UInt8, _ text: ByteView, _ buffer: StreamBuffer, _ words: String
  ) throws(ScannerFault) {
    guard text[buffer.cursor] == byte else {
      throw ScannerFault(reason: .malformed(words), index: buffer.cursor)
    }
    buffer.cursor += 1
  }
}
