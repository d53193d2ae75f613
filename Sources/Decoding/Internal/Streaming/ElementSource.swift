public import Foundation

/// Turns chunks into elements: a scanner finds them, a decoder reads them, and drops are counted. Without I/O.
///
/// It does not know the type of the elements but where one is decoded: code that is generic over it would ask for its
/// metadata for every element.
@usableFromInline
final class ElementSource {
  private let buffer = StreamBuffer()
  private var scanner: any ElementScanner
  private let format: JSONStreamFormat
  /// The steps to the array, in an array.
  private let steps: [PathStep]
  private let options: JSONElementOptions
  private let decodingOptions: DecodingOptions
  private var state: DecodingState
  /// The index of the element that comes next.
  private var index = 0
  private var dropCount = 0
  private var isStopped = false
  /// What is wrong with the path.
  private var pathFailure: DecodingFailure?

  init(format: JSONStreamFormat, options: JSONElementOptions, decoder: JSONBytesDecoder) {
    self.format = format
    self.options = options
    decodingOptions = decoder.options
    state = DecodingState(options: decodingOptions)
    let maximumSize = max(options.maximumElementSize, 1)
    var steps: [PathStep] = []
    switch format {
    case .lines: scanner = DelimitedScanner.lines(maximumSize: maximumSize)
    case .textSequence: scanner = DelimitedScanner.textSequence(maximumSize: maximumSize)
    case .array(let path):
      do throws(DecodingFailure) {
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

  /// Says that the stream has ended.
  @usableFromInline
  func finish() { buffer.isFinished = true }

  /// Ends the elements.
  @usableFromInline
  func stop() { isStopped = true }

  /// Looks for the next element. After an error there are no more.
  @usableFromInline
  func next() throws(DecodingFailure) -> ScannerAction {
    if isStopped { return .end }
    do throws(ScannerFault) {
      if pathFailure == nil {
        let action = try scanner.next(buffer)
        if action == .end { isStopped = true }
        return action
      }
    } catch {
      isStopped = true
      throw failure(error)
    }
    isStopped = true
    throw pathFailure ?? DecodingFailure(kind: .invalidPath, path: .root)
  }

  /// Decodes the element that was found last.
  @usableFromInline
  func decode<Element: Decodable>(_ type: Element.Type, _ range: Range<Int>) throws(DecodingFailure) -> Element {
    index += 1
    let text = ByteView(buffer.text.base + range.lowerBound, count: range.count)
    let part = TextPart(text: text)
    guard text.count < Int(absentValue) else { throw DecodingFailure(tooLarge: part) }
    state.begin(text)
    // An element that keeps its decoder keeps the state; the next one gets another.
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

  /// Leaves the element out that was decoded last, or throws why that is not allowed.
  @usableFromInline
  func drop(_ failure: DecodingFailure) throws(DecodingFailure) {
    var isAllowed = dropCount < options.dropLimit
    if case .array = format, failure.kind == .malformed || failure.kind == .limit { isAllowed = false }
    guard isAllowed else {
      isStopped = true
      throw failure
    }
    dropCount += 1
    options.onDrop?(LossyDrop(index: index - 1, path: lastPath, failure: failure))
  }

  /// A failure about an element as one about the stream.
  private func placed(_ error: any Error, _ part: TextPart, _ range: Range<Int>) -> DecodingFailure {
    var failure = DecodingFailure(error, state, part)
    let outer = steps + [.index(index - 1)]
    failure.path = JSONPath(CompiledPath(segments: outer.map(Segment.init) + failure.path.compiled.segments))
    let start = buffer.position(of: range.lowerBound)
    failure.position = failure.position.map { start.advanced(by: $0) } ?? start
    return failure
  }

  private func failure(_ fault: ScannerFault) -> DecodingFailure {
    var failure: DecodingFailure
    switch fault.reason {
    case .malformed(let words):
      failure = DecodingFailure(kind: .malformed, path: .root)
      failure.expected = words
      var place = fault.step.map { Array(steps[..<$0]) } ?? elementSteps
      var error = JSONSyntaxError(offset: fault.index, reason: .expectedValue)
      if fault.step == nil, let inner = syntaxErrorInElement {
        place += inner.steps
        error = inner.error
        failure.expected = error.reason.rawValue
      }
      if buffer.position(of: 0).offset == 0, let hint = buffer.text.hint(about: error) { failure.expected = hint }
      if error.offset >= 0 { failure.found = buffer.text.foundText(at: error) }
      failure.path = JSONPath(CompiledPath(steps: place))
    case .tooDeep:
      failure = DecodingFailure(kind: .limit, path: .root)
      failure.expected = JSONSyntaxError.Reason.tooDeep.rawValue
    case .tooLarge:
      failure = DecodingFailure(kind: .limit, path: JSONPath(CompiledPath(steps: elementSteps)))
      failure.expected = "an element larger than \(options.maximumElementSize) bytes"
    case .missing(let step, let names):
      failure = DecodingFailure(kind: .missing, path: JSONPath(CompiledPath(steps: Array(steps[...step]))))
      failure.siblings = names
    case .mismatch(let step, let kind):
      failure = DecodingFailure(
        kind: kind == .null ? .null : .mismatch, path: JSONPath(CompiledPath(steps: Array(steps[..<step]))))
      failure.found = kind.text
      failure.expected = "an array"
      if step < steps.count, case .name = steps[step] { failure.expected = "an object" }
    }
    failure.position = buffer.position(of: fault.index)
    return failure
  }

  /// What is wrong in the element that is being read, as far as its bytes have come.
  private var syntaxErrorInElement: SyntaxErrorSearch? {
    buffer.mark.flatMap { SyntaxErrorSearch(buffer.text, from: $0, depthLimit: decodingOptions.maximumDepth) }
  }

  private var elementSteps: [PathStep] { steps + [.index(index)] }

  /// The path of the element that was decoded last.
  private var lastPath: JSONPath { JSONPath(CompiledPath(steps: steps + [.index(index - 1)])) }
}

extension JSONPath {
  /// The steps to the array whose elements a stream is asked for.
  func stepsToArray() throws(DecodingFailure) -> [PathStep] {
    if let error = compiled.error { throw DecodingFailure(error) }
    var segments = compiled.segments
    if let last = segments.last, !last.isDescendant, last.selectors == [.wildcard] { segments.removeLast() }
    guard let steps = CompiledPath.steps(of: segments) else {
      throw DecodingFailure(unsupported: self, "a stream's elements are found by names, indices and a last `[*]`")
    }
    for case .index(let index) in steps where index < 0 {
      throw DecodingFailure(unsupported: self, "a stream cannot be counted from its end")
    }
    return steps
  }
}

extension ByteView {
  /// Whether a text of a sequence has no end of its own, and nothing that shows it.
  fileprivate var mayBeCutShort: Bool {
    guard count > 0, !isJSONSpace(self[count - 1]) else { return false }
    return ![0x7B, 0x5B, 0x22].contains(self[skipSpace(0)])
  }
}
