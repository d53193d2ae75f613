extension Decoder {
  /// Opens the value that the decoder stands at for decoding by path.
  ///
  /// - Throws: `DecodingError.typeMismatch` or `valueNotFound` when the value is neither an object nor an array.
  public func nested() throws -> NestedDecoder {
    NestedDecoder(root: try NestedRoot(self))
  }
}
