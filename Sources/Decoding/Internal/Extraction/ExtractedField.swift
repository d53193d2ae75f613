/// One of the values that an extraction looks for, whatever its type.
class ExtractedField {
  let path: JSONPath
  /// Why there is no value.
  var failure: DecodingFailure?

  fileprivate init(path: JSONPath) { self.path = path }

  /// The steps of a path that is singular.
  final var steps: [PathStep] { path.compiled.steps ?? [] }

  /// Decodes the value of the part.
  func decode(_ state: DecodingState, _ part: TextPart) throws {}

  /// Decodes the first value that a path leads to which may lead to several.
  func decodeFirst(of document: JSONDocument) throws(DecodingFailure) {}

  /// Notes that the path leads to nothing.
  func miss(_ outcome: StepOutcome, in document: DocumentBytes) {}
}

/// One of the values that an extraction looks for.
final class ExtractedValue<Value: Decodable>: ExtractedField {
  private var value: Value?

  init(path: JSONPath, type: Value.Type) { super.init(path: path) }

  override func decode(_ state: DecodingState, _ part: TextPart) throws {
    value = try state.decode(Value.self, part)
  }

  override func decodeFirst(of document: JSONDocument) throws(DecodingFailure) {
    value = try document.values(Value.self, at: path, limit: 1).first ?? absent
    if value == nil { failure = DecodingFailure(nothingAt: path, expected: Value.self) }
  }

  override func miss(_ outcome: StepOutcome, in document: DocumentBytes) {
    switch outcome {
    case .missing: value = absent
    case .mismatch(_, _, .null): value = absent
    case .mismatch, .found: break
    }
    if value == nil { failure = DecodingFailure(outcome, of: steps, expected: Value.self, in: document) }
  }

  func result() throws(DecodingFailure) -> Value {
    if let value { return value }
    throw failure ?? DecodingFailure(nothingAt: path, expected: Value.self)
  }

  /// The value that stands for a missing one, where the type is an `Optional`.
  private var absent: Value? { (Value.self as? any ExpressibleByNilLiteral.Type)?.init(nilLiteral: ()) as? Value }
}
