/// One value that was left out: of a lossy result, or of a stream.
public struct LossyDrop: Sendable {
  /// Its place among the values that were to be decoded, from 0; for members of an object its place by name.
  public let index: Int

  /// Its path from the root of what the decoder decodes, or of the stream's document; with a ``JSONBytesDecoder`` in
  /// the document's own names.
  public let path: JSONPath

  /// Why it was left out: where inside it, what was expected, what was found.
  ///
  /// Only a ``JSONBytesDecoder`` and a stream have the bytes at hand, so only there it has a position and the kind of
  /// value that was found; the position counts from the beginning of the document, or of the stream's element. What the
  /// decoder or the type's `init(from:)` threw is its `underlyingError`.
  public let failure: DecodingFailure
}

extension LossyDrop {
  /// A drop because of what decoding the value at the path has thrown.
  ///
  /// - Parameter decoder: A decoder that stands at the value.
  init(index: Int, codingPath: [any CodingKey], error: any Error, decoder: (any Decoder)?) {
    if let decoder = decoder as? BytesDecoder {
      let path = JSONPath(CompiledPath(steps: decoder.state.steps(to: Int(decoder.node), decoder.value)))
      self.init(index: index, path: path, failure: DecodingFailure(error, of: decoder))
      return
    }
    let path = JSONPath(codingPath: codingPath)
    var failure = DecodingFailure(error, in: .unreadable)
    if !(error is DecodingError || error is DecodingFailure) { failure.path = path }
    self.init(index: index, path: path, failure: failure)
  }
}

extension LossyDrop: CustomStringConvertible {
  /// What ``failure`` says, without values:
  /// `$['results'][3]['id']: expected Int, found a string at line 1, column 9 (byte 8)`.
  public var description: String { failure.description }
}
