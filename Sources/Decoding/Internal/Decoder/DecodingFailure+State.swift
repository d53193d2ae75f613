extension DecodingFailure {
  /// Makes a failure from what decoding a part of a document has thrown.
  init(_ error: any Error, _ state: DecodingState, _ part: TextPart) {
    let document = state.document(part)
    let core = state.reader.core.pointee
    guard core.fault >= 0 else {
      self.init(error, in: document)
      return
    }
    let reason: JSONSyntaxError.Reason =
      switch core.faultKind {
      case .syntax: .unreadable
      case .tooDeep: .tooDeep
      case .tooLarge: .tooLarge
      }
    self.init(JSONSyntaxError(offset: core.fault, reason: reason), in: document)
    if kind == .malformed || kind == .limit, path == .root, position?.offset == core.fault {
      path = JSONPath(CompiledPath(steps: document.baseSteps + state.reader.steps(to: core.fault).map(PathStep.init)))
    }
  }

  /// Says that a document is beyond the offsets that the decoder keeps.
  init(tooLarge part: TextPart) {
    self.init(kind: .limit, path: .root)
    expected = "documents of 4 GiB and more are not decoded"
  }
}

extension DecodingState {
  /// The document around a part, for finding out what an error is about.
  func document(_ part: TextPart) -> DocumentBytes {
    let bytes = UnsafeRawBufferPointer(start: part.text.base, count: part.text.count)
    var document = DocumentBytes(bytes, keys: options.keyDecodingStrategy)
    document.base = part.text.skipSpace(part.start)
    switch part.origin {
    case .document: break
    case .steps(let steps): document.baseSteps = steps
    case .match: document.baseSteps = reader.steps(from: part.text.skipSpace(0), to: document.base).map(PathStep.init)
    }
    return document
  }
}
