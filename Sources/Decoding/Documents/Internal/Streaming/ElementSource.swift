public import Foundation

/// Turns chunks into elements without doing I/O: a scanner finds them, a decoder decodes them, and drops are counted.
///
/// Only the decoding method is generic over the element type. A generic class would look up the type's metadata for
/// every element.
@usableFromInline
final class ElementSource {
  private let buffer = StreamBuffer()
  private var scanner: any ElementScanner
  private let format: JSONStreamFormat
  /// The steps to the array, in an array format.
  private let steps: [PathStep]
  private let options: JSONElementOptions
  private let decodingOptions: DecodingOptions
  private var state: DecodingState
  /// The index of the next element.
  private var index = 0
  private var dropCount = 0
  private var isStopped = false
  /// The error of an invalid path.
  private var pathFailure: LocatedDecodingError?

  init(format: JSONStreamFormat, options: JSONElementOptions, decoder: JSONBytesDecoder) {
    self.format = format
    self.options = options
    decodingOptions = decoder.options
    state = DecodingState(options: decodingOptions)
    let maximumSize = max(options.maximumElementSize, 1)
    var steps: [PathStep] = []
    switch format {
    case .lines: scanner = DelimitedScanner(delimiter: ASCII.newline, maximumSize: maximumSize)
    case .textSequence: scanner = DelimitedScanner(delimiter: 0x1E, maximumSize: maximumSize)
    case .array(let path):
      do throws(LocatedDecodingError) {
        steps = try path.stepsToArray()
      } catch {
        pathFailure = error
      }
      scanner = ArrayScanner(
        steps: steps, isTrusted: decodingOptions.validation == .trusted, maximumSize: maximumSize,
        maximumDepth: decodingOptions.maximumDepth)
    }
    self.steps = steps
  }

  @usableFromInline
  func append(_ chunk: some ContiguousBytes) { buffer.append(chunk) }

  /// Reports the end of the stream.
  @usableFromInline
  func finish() { buffer.isFinished = true }

  /// Stops producing elements.
  @usableFromInline
  func stop() { isStopped = true }

  /// Looks for the next element. After an error there are no more.
  @usableFromInline
  func next() throws(LocatedDecodingError) -> ScannerAction {
    if isStopped { return .end }
    isStopped = true
    if let pathFailure { throw pathFailure }
    do throws(ScannerFault) {
      let action = try scanner.next(buffer)
      isStopped = action == .end
      return action
    } catch {
      throw failure(error)
    }
  }

  /// Decodes the element that was found last.
  @usableFromInline
  func decode<Element: Decodable>(_ type: Element.Type, _ range: Range<Int>) throws(LocatedDecodingError) -> Element {
    index += 1
    let text = ByteView(buffer.text.base + range.lowerBound, count: range.count)
    let part = TextPart(text: text)
    guard text.count < Int(absentValue) else { throw LocatedDecodingError(tooLarge: part) }
    state.begin(text)
    // An element that retains its decoder retains the state, so the next element gets a new one.
    defer { if !DecodingState.end(&state) { state = DecodingState(options: decodingOptions) } }
    do {
      if format == .textSequence, text.mayBeCutShort {
        throw JSONSyntaxError(offset: text.count, reason: .endOfInput)
      }
      return try state.decode(type, part)
    } catch {
      throw placed(error, part, range)
    }
  }

  /// Drops the element that was decoded last, or throws its failure if dropping it is not allowed.
  @usableFromInline
  func drop(_ failure: LocatedDecodingError) throws(LocatedDecodingError) {
    var isAllowed = dropCount < options.dropLimit
    if case .array = format, failure.kind == .malformed || failure.kind == .limit { isAllowed = false }
    guard isAllowed else {
      isStopped = true
      throw failure
    }
    dropCount += 1
    options.onDrop?(
      DroppedElement(
        index: index - 1, path: JSONPath(CompiledPath(steps: steps + [.index(index - 1)])), failure: failure))
  }

  /// Converts a failure about an element into one about the stream.
  private func placed(_ error: any Error, _ part: TextPart, _ range: Range<Int>) -> LocatedDecodingError {
    var failure = LocatedDecodingError(error, state, part)
    let outer = steps + [.index(index - 1)]
    failure.path = JSONPath(CompiledPath(segments: outer.map(Segment.init) + failure.path.compiled.segments))
    let start = buffer.position(of: range.lowerBound)
    failure.position = failure.position.map { start.advanced(by: $0) } ?? start
    return failure
  }

  private func failure(_ fault: ScannerFault) -> LocatedDecodingError {
    var failure: LocatedDecodingError
    switch fault.reason {
    case .malformed(let words):
      failure = LocatedDecodingError(kind: .malformed, path: .root)
      failure.expected = words
      var path = fault.step.map { Array(steps[..<$0]) } ?? elementSteps
      var error = JSONSyntaxError(offset: fault.index, reason: .expectedValue)
      if fault.step == nil, let start = buffer.mark,
        let inner = SyntaxErrorSearch(buffer.text, from: start, depthLimit: decodingOptions.maximumDepth)
      {
        path += inner.steps
        error = inner.error
        failure.expected = error.reason.rawValue
      }
      if buffer.position(of: 0).offset == 0, let hint = buffer.text.hint(about: error) { failure.expected = hint }
      failure.found = buffer.text.foundText(at: error)
      failure.path = JSONPath(CompiledPath(steps: path))
    case .tooDeep:
      failure = LocatedDecodingError(kind: .limit, path: .root)
      failure.expected = JSONSyntaxError.Reason.tooDeep.rawValue
    case .tooLarge:
      failure = LocatedDecodingError(kind: .limit, path: JSONPath(CompiledPath(steps: elementSteps)))
      failure.expected = "an element larger than \(options.maximumElementSize) bytes"
    case .missing(let step, let names):
      failure = LocatedDecodingError(kind: .missing, path: JSONPath(CompiledPath(steps: Array(steps[...step]))))
      failure.siblings = names
    case .mismatch(let step, let kind):
      failure = LocatedDecodingError(
        kind: kind == .null ? .null : .mismatch, path: JSONPath(CompiledPath(steps: Array(steps[..<step]))))
      failure.found = kind.rawValue
      failure.expected = "an array"
      if step < steps.count, case .name = steps[step] { failure.expected = "an object" }
    }
    failure.position = buffer.position(of: fault.index)
    return failure
  }

  private var elementSteps: [PathStep] { steps + [.index(index)] }
}

extension JSONPath {
  /// Returns the steps to the array of a stream's elements.
  func stepsToArray() throws(LocatedDecodingError) -> [PathStep] {
    if let error = compiled.error { throw LocatedDecodingError(error) }
    var segments = compiled.segments
    if let last = segments.last, !last.isDescendant, last.selectors == [.wildcard] { segments.removeLast() }
    guard let steps = CompiledPath.steps(of: segments) else {
      throw LocatedDecodingError(unsupported: self, "a stream's path can have only names, indices and a final `[*]`")
    }
    for case .index(let index) in steps where index < 0 {
      throw LocatedDecodingError(unsupported: self, "negative indices are not supported in a stream")
    }
    return steps
  }
}

extension ByteView {
  /// Whether a text of a sequence may be truncated: it has neither an end of its own nor trailing whitespace.
  fileprivate var mayBeCutShort: Bool {
    guard count > 0, !isJSONSpace(self[count - 1]) else { return false }
    return ![0x7B, 0x5B, 0x22].contains(self[skipSpace(0)])
  }
}
