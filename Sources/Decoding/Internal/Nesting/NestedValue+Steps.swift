extension NestedValue {
  /// The object that the names lead to, one after the other.
  func object(at keys: ArraySlice<AnyKey>) throws -> Object {
    var value = self
    for key in keys {
      switch try value.member(key) {
      case .value(let child): value = child
      case .missing: throw value.missing(key)
      case .null: throw value.null(key)
      }
    }
    return try value.openObject()
  }

  func objectIfPresent(at keys: ArraySlice<AnyKey>) throws -> Object? {
    var value = self
    for key in keys {
      guard case .value(let child) = try value.member(key) else { return nil }
      value = child
    }
    return try value.openObject()
  }

  func value(at path: JSONPath) throws -> NestedValue {
    var value = self
    let steps = try steps(of: path)
    for (index, step) in steps.enumerated() {
      switch try value.child(at: step) {
      case .value(let child): value = child
      // At the end a null is the type's to take or to refuse.
      case .null(let child) where index == steps.count - 1: value = child
      case .null: throw value.null(AnyKey(step))
      case .missing: throw value.missing(AnyKey(step))
      }
    }
    return value
  }

  func valueIfPresent(at path: JSONPath) throws -> NestedValue? {
    var value = self
    for step in try steps(of: path) {
      guard case .value(let child) = try value.child(at: step) else { return nil }
      value = child
    }
    return value
  }

  private func child(at step: PathStep) throws -> NestedChild {
    switch step {
    case .name(let name): try member(AnyKey(stringValue: name.text))
    case .index(let index): try openArray().element(index)
    }
  }

  private func steps(of path: JSONPath) throws -> [PathStep] {
    if let steps = path.compiled.steps { return steps }
    if let error = path.compiled.error { throw corrupted("\(error)", error) }
    let reason = "only names and indices are evaluated so far"
    throw corrupted("\(path): \(reason)", UnsupportedPath(path: path, reason: reason))
  }

  private func corrupted(_ text: String, _ underlying: any Error) -> DecodingError {
    .dataCorrupted(DecodingError.Context(codingPath: codingPath, debugDescription: text, underlyingError: underlying))
  }

  private func missing(_ key: AnyKey) -> DecodingError {
    let text = key.intValue.map { "No element \($0)." } ?? "No value associated with key \"\(key.stringValue)\"."
    return .keyNotFound(key, DecodingError.Context(codingPath: codingPath, debugDescription: text))
  }

  private func null(_ key: AnyKey) -> DecodingError {
    .valueNotFound(
      Any.self,
      DecodingError.Context(codingPath: codingPath + [key], debugDescription: "Expected a value but found null."))
  }
}

extension AnyKey {
  init(_ step: PathStep) {
    switch step {
    case .name(let name): self.init(stringValue: name.text)
    case .index(let index): self.init(intValue: index)
    }
  }
}
