extension DroppedElement {
  /// Creates a drop for an error that decoding the value at the path threw.
  ///
  /// - Parameter decoder: A decoder that is positioned at the value.
  init(index: Int, codingPath: [any CodingKey], error: any Error, decoder: (any Decoder)?) {
    if let decoder = decoder as? BytesDecoder {
      let path = JSONPath(CompiledPath(steps: decoder.state.steps(to: Int(decoder.node), decoder.value)))
      self.init(index: index, path: path, failure: LocatedDecodingError(error, of: decoder))
      return
    }
    let path = JSONPath(codingPath: codingPath)
    var failure = LocatedDecodingError(error, in: .unreadable)
    if !(error is DecodingError || error is LocatedDecodingError) { failure.path = path }
    self.init(index: index, path: path, failure: failure)
  }
}
