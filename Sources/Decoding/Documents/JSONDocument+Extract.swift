extension JSONDocument {
  /// Decodes the values at several paths in one pass over the document.
  ///
  /// ```swift
  /// let (count, first) = try document.extract(
  ///   ("search_metadata.count", Int.self),
  ///   ("statuses[0].user.screen_name", String?.self))
  /// ```
  ///
  /// If several paths have a common prefix, the prefix is followed only once. Reading stops after the last requested
  /// value. If a value is missing or null in the document and its type is optional, the result is nil. If a path can
  /// select several values, the first value that it selects is decoded, which requires a separate pass.
  ///
  /// - Throws: ``LocatedDecodingError`` for the first value that is missing or cannot be decoded.
  public func extract<each Value: Decodable>(
    _ fields: repeat (JSONPath, (each Value).Type)
  ) throws(LocatedDecodingError) -> (repeat each Value) {
    let extracted = (repeat ExtractedValue(path: (each fields).0, type: (each fields).1))
    var singular: [ExtractedField] = []
    var others: [ExtractedField] = []
    for field in repeat each extracted {
      if try steps(of: field.path) == nil { others.append(field) } else { singular.append(field) }
    }
    if !singular.isEmpty {
      try withState { state, part in
        var pass = ExtractionPass(singular, state: state, part: part)
        try pass.run(&part)
      }
    }
    for field in others { try field.decodeFirst(of: self) }
    return (repeat try (each extracted).result())
  }
}
