extension NestedDecoder {
  /// Decodes what is at a path without throwing: missing, null, a value, or invalid with the error.
  ///
  /// A path that is not one, or that only the document's bytes could answer, makes it invalid too.
  public func field<T: Decodable>(_ type: T.Type = T.self, at path: JSONPath) -> Field<T> {
    do {
      if let value = try decodeIfPresent(type, at: path) { return .value(value) }
      return try root.isMissing(at: path) ? .missing : .null
    } catch {
      return .invalid(error)
    }
  }
}

extension NestedRoot {
  /// Whether a path that led to no value met something missing, not a null.
  func isMissing(at path: JSONPath) throws -> Bool {
    guard let steps = path.compiled.steps else {
      // What a filter does not select is missing; a null that it selects is there.
      return try valuesIfPresent(at: path)?.isEmpty ?? value.isMissing(path.compiled.prefixSteps)
    }
    return try value.isMissing(steps)
  }
}

extension NestedValue {
  fileprivate func isMissing(_ steps: [PathStep]) throws -> Bool {
    for count in 0...steps.count {
      guard let reached = try follow(Array(steps[..<count])) else { return true }
      if try reached.isNull { return false }
    }
    return false
  }
}
