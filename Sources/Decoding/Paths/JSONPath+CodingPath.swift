extension JSONPath {
  /// Creates the path that a decoder's coding path represents; a key with an integer value is an index.
  ///
  /// - Parameter codingPath: A coding path from `Decoder/codingPath` or a `DecodingError.Context`.
  public init(codingPath: [any CodingKey]) {
    self.init(CompiledPath(segments: codingPath.map { Segment(PathStep($0)) }))
  }
}

extension PathStep {
  init(_ key: any CodingKey) {
    self = key.intValue.map { .index($0) } ?? .name(ByteString(key.stringValue))
  }
}
