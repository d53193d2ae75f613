extension LocatedDecodingError {
  /// Creates a failure from an error that decoding a part of a document threw.
  init(_ error: any Error, _ state: DecodingState, _ part: TextPart) {
    var document = state.document(part)
    document.thrown = state.place(of: error, in: document)
    if let fault = state.fault {
      self.init(fault, in: document)
    } else {
      self.init(error, in: document)
    }
  }

  /// Creates a failure from an error that decoding the value of one decoder threw, while the decode continues.
  init(_ error: any Error, of decoder: BytesDecoder) {
    let state = decoder.state
    var document = DocumentBytes(state.scanner.text, keys: state.options.keyDecodingStrategy)
    document.positions = state.makePositions()
    let steps = state.steps(to: Int(decoder.node), decoder.value)
    document.baseSteps = state.rootSteps + steps
    document.baseKeyCount = steps.count
    if decoder.value == absentValue { document.isReadable = false } else { document.base = Int(decoder.value) }
    document.thrown = state.place(of: error, in: document)
    self.init(error, in: document)
  }

  /// Creates a failure for a document that exceeds the decoder's offsets.
  init(tooLarge part: TextPart) {
    self.init(kind: .limit, path: .root)
    expected = "documents of 4 GiB or more cannot be decoded"
  }
}

extension DecodingState {
  /// The recorded error.
  fileprivate var fault: JSONSyntaxError? {
    let core = scanner.core.pointee
    guard core.fault >= 0 else { return nil }
    return JSONSyntaxError(offset: core.fault, reason: core.faultReason)
  }

  /// Returns where an error was thrown, if it is a decoded type's own error from this decode.
  fileprivate func place(of error: any Error, in document: DocumentBytes) -> ThrownPlace? {
    guard let thrown, thrown.isSame(as: error), thrown.value != absentValue else { return nil }
    let offset = Int(thrown.value)
    guard offset >= document.base else { return nil }
    let inner = OpenContainers(document.text, from: document.base, to: offset).steps(to: offset)
    return ThrownPlace(offset: offset, steps: document.baseSteps + inner, type: thrown.type)
  }

  /// Returns the steps to a part, with indices that count from the beginning of their arrays.
  func steps(to part: TextPart) -> [PathStep] {
    switch part.origin {
    case .document: return []
    case .steps(let steps) where !steps.contains { if case .index(..<0) = $0 { true } else { false } }: return steps
    case .steps, .match:
      return scanner.steps(from: part.text.skipSpace(0), to: part.text.skipSpace(part.start)).map(PathStep.init)
    }
  }

  /// Returns the document around a part, for finding the details of an error.
  func document(_ part: TextPart) -> DocumentBytes {
    var document = DocumentBytes(part.text, keys: options.keyDecodingStrategy)
    document.depthLimit = scanner.core.pointee.depthLimit
    if !scanner.core.pointee.isTrusted { document.fault = fault }
    document.base = part.text.skipSpace(part.start)
    switch part.origin {
    case .document: break
    case .steps(let steps): document.baseSteps = steps
    case .match: document.baseSteps = scanner.steps(from: part.text.skipSpace(0), to: document.base).map(PathStep.init)
    }
    return document
  }
}
