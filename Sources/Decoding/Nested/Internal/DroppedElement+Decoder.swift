extension DroppedElement {
  /// Creates a drop for an error that decoding the value at the path threw.
  ///
  /// - Parameter decoder: A decoder that is positioned at the value.
  init(index: Int, codingPath: [any CodingKey], error: any Error, decoder: (any Decoder)?) {
    if let decoder = decoder?.asBytesDecoder {
      let path = JSONPath(CompiledPath(steps: decoder.state.documentSteps(to: Int(decoder.node), decoder.value)))
      self.init(index: index, path: path, failure: LocatedDecodingError(error, of: decoder))
      return
    }
    let path = JSONPath(codingPath: codingPath, of: decoder)
    var document = DocumentBytes.unreadable
    document.baseSteps = decoder?.stepsToPart ?? []
    var failure = LocatedDecodingError(error, in: document)
    if !(error is DecodingError || error is LocatedDecodingError) { failure.path = path }
    self.init(index: index, path: path, failure: failure)
  }
}

extension JSONPath {
  /// Creates the path from the document's root for a coding path of a decoder that may decode only a part of it.
  init(codingPath: [any CodingKey], of decoder: (any Decoder)?) {
    self.init(CompiledPath(steps: (decoder?.stepsToPart ?? []) + codingPath.map(PathStep.init)))
  }
}
