extension DecodingFailure {
  /// Makes a failure from what decoding a part of a document has thrown.
  init(_ error: any Error, _ state: DecodingState, _ part: Part) {
    let bytes = UnsafeRawBufferPointer(start: part.text.base, count: part.text.count)
    var document = DocumentBytes(bytes, keys: state.options.keyDecodingStrategy)
    document.base = part.text.skipSpace(part.start)
    document.baseSteps = part.steps ?? []
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
  init(tooLarge part: Part) {
    self.init(kind: .limit, path: JSONPath(CompiledPath(steps: part.steps ?? [])))
    expected = "documents of 4 GiB and more are not decoded"
  }
}
