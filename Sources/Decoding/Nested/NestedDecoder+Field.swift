extension NestedDecoder {
  /// Decodes the value at a path without throwing. Returns `.missing`, `.null`, `.value` with the decoded value, or
  /// `.invalid` with the error that occurred.
  ///
  /// The field is also invalid if the path is invalid or if evaluating the path requires the document's bytes.
  public func field<T: Decodable>(_ type: T.Type = T.self, at path: JSONPath) -> Field<T> {
    do {
      if let value = try decodeIfPresent(type, at: path) { return .value(value) }
      // A value that a filter does not select is missing; a null that it selects exists.
      if !path.isSingular, let values = try root.valuesIfPresent(at: path) { return values.isEmpty ? .missing : .null }
      return try root.value.isMissing(path.compiled.prefixSteps) ? .missing : .null
    } catch {
      return .invalid(error)
    }
  }
}

extension NestedValue {
  /// Whether steps that led to no value met a missing value rather than null.
  fileprivate func isMissing(_ steps: [PathStep]) throws -> Bool {
    for count in 0...steps.count {
      guard let reached = try follow(Array(steps[..<count])) else { return true }
      if try reached.isNull { return false }
    }
    return false
  }
}
