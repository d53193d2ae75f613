public import Foundation

extension LocatedDecodingError {
  /// Creates a located error from an error that a decoder threw, with details taken from the document's bytes.
  ///
  /// Creating the error takes up to two passes over the document.
  ///
  /// - Parameters:
  ///   - error: The error that the decoder threw: a `DecodingError`, or an error that a type's `init(from:)` threw. A
  ///     `LocatedDecodingError` is used unchanged.
  ///   - data: The document that was being decoded.
  ///   - keys: The decoder's key strategy. It is needed to match the keys of the coding path with names in the
  ///     document.
  public init(
    _ error: any Error, in data: Data, keys: JSONDecoder.KeyDecodingStrategy = .useDefaultKeys
  ) {
    self = data.asUTF8.withByteView { LocatedDecodingError(error, in: DocumentBytes($0, keys: keys)) }
  }

  /// Creates a failure from an error that a decoder threw for the value at the base path of `document`.
  init(_ error: any Error, in document: DocumentBytes) {
    switch error {
    case let error as DecodingError:
      self.init(decodingError: error, in: document)
    case let failure as LocatedDecodingError:
      self = failure
    case let error as JSONSyntaxError:
      self.init(error, in: document)
    case let error as JSONPathError:
      self.init(error)
    default:
      let thrown = document.thrown ?? ThrownPlace(offset: document.base, steps: document.baseSteps)
      self.init(kind: .custom, path: JSONPath(CompiledPath(steps: thrown.steps)), underlyingError: error)
      expected = thrown.type.map { Self.words(for: $0) }
      if error.isFoundationsJSONError {
        (kind, expected) = (.invalid, ExpectedValue.anyScalar.words)
      }
      locate(thrown.offset, in: document)
    }
  }

  init(_ error: JSONPathError) {
    self.init(kind: .invalidPath, path: .root, underlyingError: error)
  }

  init(unsupported path: JSONPath, _ reason: String) {
    self.init(kind: .unsupportedPath, path: path)
    expected = reason
  }

  /// Creates a failure for a path that selects nothing.
  init(nothingAt path: JSONPath, expected: Any.Type) {
    self.init(kind: .missing, path: path)
    self.expected = Self.words(for: expected)
  }

  /// Creates a failure for a path that exceeds its limits.
  init(_ error: EvaluationError, at path: JSONPath) {
    switch error {
    case .malformed: self.init(kind: .malformed, path: path)
    case .limit(let reason):
      self.init(kind: .limit, path: path)
      expected = reason
    case .cancelled:
      self.init(kind: .limit, path: path, underlyingError: CancellationError())
      expected = "the task was cancelled"
    }
  }

  /// Creates a failure for malformed bytes, with the path to them.
  init(_ error: JSONSyntaxError, in document: DocumentBytes) {
    let search = document.findSyntaxError() ?? SyntaxErrorSearch(document.text, known: error)
    let error = search.error
    self.init(
      kind: error.reason.isLimit ? .limit : .malformed, path: JSONPath(CompiledPath(steps: search.steps)))
    expected = document.text.hint(about: error) ?? error.reason.rawValue
    found = kind == .malformed ? document.text.foundText(at: error) : nil
    locate(error.offset, in: document)
  }

  /// Creates a failure for a path that leads to nothing.
  init(_ outcome: StepOutcome, of steps: [PathStep], expected: Any.Type, in document: DocumentBytes) {
    switch outcome {
    case .found(let offset):
      self.init(kind: .invalid, path: JSONPath(CompiledPath(steps: steps)))
      locate(offset, in: document)
    case .missing(let step, let container):
      self.init(kind: .missing, path: JSONPath(CompiledPath(steps: Array(steps[...step]))))
      siblings = document.names(inObjectAt: container)
      self.expected = step == steps.count - 1 ? Self.words(for: expected) : nil
      locate(container, in: document)
    case .mismatch(let step, let value, let kind):
      self.init(kind: kind == .null ? .null : .mismatch, path: JSONPath(CompiledPath(steps: Array(steps[..<step]))))
      if case .name = steps[step] { self.expected = "an object" } else { self.expected = "an array" }
      found = kind.rawValue
      locate(value, in: document)
    }
  }

  private init(decodingError: DecodingError, in document: DocumentBytes) {
    let (kind, context, type, keys): (Kind, DecodingError.Context, Any.Type?, [any CodingKey])
    switch decodingError {
    case .keyNotFound(let key, let found):
      (kind, context, type, keys) = (.missing, found, nil, found.codingPath + [key])
    case .valueNotFound(let wanted, let found): (kind, context, type, keys) = (.null, found, wanted, found.codingPath)
    case .typeMismatch(let wanted, let found):
      (kind, context, type, keys) = (.mismatch, found, wanted, found.codingPath)
    case .dataCorrupted(let found): (kind, context, type, keys) = (.invalid, found, nil, found.codingPath)
    @unknown default:
      self.init(kind: .custom, path: .root, underlyingError: decodingError)
      return
    }
    if kind == .invalid {
      if let pathError = context.underlyingError as? JSONPathError {
        self.init(pathError)
        return
      }
      if let failure = context.underlyingError as? LocatedDecodingError, failure.kind == .limit {
        self = failure
        return
      }
      // Foundation reports malformed bytes as an error at the root, without a position.
      if keys.isEmpty, document.baseKeyCount == 0, let malformed = document.findSyntaxError() {
        self.init(malformed.error, in: document)
        return
      }
    }
    self.init(kind: kind, path: .root, underlyingError: decodingError)
    expected = kind == .invalid ? ExpectedValue(context)?.words : type.map { Self.words(for: $0) }
    detail = context.debugDescription
    describe(context, keys, in: document)
  }

  /// Adds where the error is, and what other errors under it know.
  private mutating func describe(
    _ context: DecodingError.Context, _ keys: [any CodingKey], in document: DocumentBytes
  ) {
    if let unsupported = context.underlyingError as? UnsupportedPath {
      kind = .unsupportedPath
      expected = unsupported.reason
    }
    if let unknown = context.underlyingError as? UnknownCaseError { expected = unknown.words }

    let trail = document.follow(keys, isMissing: kind == .missing)
    path = JSONPath(CompiledPath(steps: trail.steps))
    if let selection = context.underlyingError as? EmptySelection {
      kind = .missing
      path = JSONPath(CompiledPath(segments: trail.steps.map(Segment.init) + selection.path.compiled.segments))
      locate(trail.offset, in: document)
      return
    }
    found = trail.isComplete ? trail.kind?.rawValue : nil
    // The value found is a container around the actual value: Foundation did not report the full coding path.
    if kind == .invalid, expected != nil, found == "an object" || found == "an array" { found = nil }
    if !trail.isComplete, kind != .mismatch {
      kind = .missing
    } else if kind == .mismatch, trail.kind == .null {
      kind = .null
    } else if kind == .null, document.isReadable, trail.kind != .null {
      // The array ends too early, or the path selects nothing.
      kind = .missing
    }
    if kind == .missing { siblings = document.names(inObjectAt: trail.offset) }
    if let unknown = context.underlyingError as? UnknownMembersError, kind == .invalid {
      (expected, found) = (unknown.expected, unknown.found)
    }
    if let lossy = context.underlyingError as? LossyDecodingError, kind == .invalid {
      expected = "values that can be decoded"
      found = "\(lossy.drops.count) of \(lossy.count) that cannot"
    }
    var offset = trail.offset
    if let words = ExpectedValue(nameIn: context)?.words, let name = keys.last?.stringValue {
      (kind, expected, found) = (.invalid, words, "`\(name.prefix(80))`")
      offset = trail.name ?? offset
    }
    locate(offset, in: document)
  }

  init(kind: Kind, path: JSONPath, underlyingError: (any Error)? = nil) {
    self.kind = kind
    self.path = path
    self.underlyingError = underlyingError
  }

  private mutating func locate(_ offset: Int, in document: DocumentBytes) {
    guard document.isReadable else { return }
    position = document.positions?.position(of: offset, in: document.text) ?? document.text.position(of: offset)
    snippet = document.text.snippet(around: offset)
  }

  /// Returns the name of a type for an error text; containers appear by their JSON kind.
  static func words(for type: Any.Type) -> String {
    let name = "\(type)"
    if name.hasPrefix("Dictionary<String, ") || name.hasPrefix("KeyedDecodingContainer") { return "an object" }
    if name == "Array<Any>" || name.contains("UnkeyedDecodingContainer") { return "an array" }
    return name
  }
}
