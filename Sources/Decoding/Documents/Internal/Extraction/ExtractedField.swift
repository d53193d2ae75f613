/// One of the values that an extraction looks for, independent of its type.
class ExtractedField {
  let path: JSONPath
  /// The reason for a missing value.
  var failure: LocatedDecodingError?

  fileprivate init(path: JSONPath) { self.path = path }

  /// The steps of a singular path.
  final var steps: [PathStep] { path.compiled.steps ?? [] }

  func decode(_ state: DecodingState, _ part: TextPart) throws {}

  /// Decodes the first value at a path that can select several.
  func decodeFirst(of document: JSONDocument) throws(LocatedDecodingError) {}

  /// Records that the path leads to nothing.
  func miss(_ outcome: StepOutcome, in document: DocumentBytes) {}
}

/// One of the values that an extraction looks for.
final class ExtractedValue<Value: Decodable>: ExtractedField {
  private var value: Value?

  init(path: JSONPath, type: Value.Type) { super.init(path: path) }

  override func decode(_ state: DecodingState, _ part: TextPart) throws {
    value = try state.decode(Value.self, part)
  }

  override func decodeFirst(of document: JSONDocument) throws(LocatedDecodingError) {
    value = try document.values(Value.self, at: path, limit: 1).first ?? absent
    if value == nil { failure = LocatedDecodingError(nothingAt: path, expected: Value.self) }
  }

  override func miss(_ outcome: StepOutcome, in document: DocumentBytes) {
    switch outcome {
    case .missing: value = absent
    case .mismatch(_, _, .null): value = absent
    case .mismatch, .found: break
    }
    if value == nil { failure = LocatedDecodingError(outcome, of: steps, expected: Value.self, in: document) }
  }

  func result() throws(LocatedDecodingError) -> Value {
    if let value { return value }
    throw failure ?? LocatedDecodingError(nothingAt: path, expected: Value.self)
  }

  /// The value for a missing one, if the type is an `Optional`.
  private var absent: Value? { (Value.self as? any ExpressibleByNilLiteral.Type)?.init(nilLiteral: ()) as? Value }
}
