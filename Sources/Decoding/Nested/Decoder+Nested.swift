extension Decoder {
  /// Returns a decoder that decodes values below this decoder's current value by path.
  ///
  /// - Throws: `DecodingError.typeMismatch` or `valueNotFound` if the value is neither an object nor an array.
  public func nested() throws -> NestedDecoder {
    NestedDecoder(root: try NestedRoot(self))
  }
}
