/// Following any path, from names only to filters.
extension NestedRoot {
  /// Returns the value at a path, or the first one if the path selects several.
  func value(at path: JSONPath) throws -> NestedValue {
    if let steps = path.compiled.steps { return try value.followStrictly(steps) }
    let start = try value.followStrictly(try prefix(of: path))
    if let first = try selecting(path, { try $0.first(rest(of: path), from: start) }) { return first }
    throw selectsNothing(path)
  }

  /// Returns the first object that the path without its last name selects and that has this name.
  func selectedObject(of path: JSONPath, with key: AnyKey, strictly: Bool) throws -> NestedObject? {
    let prefix = try prefix(of: path)
    guard let start = strictly ? try value.followStrictly(prefix) : try value.follow(prefix) else { return nil }
    var found: NestedObject?
    try selecting(path) { selection in
      _ = try selection.select(rest(of: path).dropLast(), from: start) { holder in
        guard try holder.isObject else { return true }
        let object = try holder.openObject()
        guard object.container.contains(key) else { return true }
        found = object
        return false
      }
    }
    return found
  }

  func selectsNothing(_ path: JSONPath) -> DecodingError {
    let error = EmptySelection(path: path)
    return .valueNotFound(Any.self, at: value.codingPath, "\(error)", error)
  }

  /// Returns the value at a path, or the first of several; nil if it or anything on the way is missing or null.
  func valueIfPresent(at path: JSONPath) throws -> NestedValue? {
    guard let reached = try reached(at: path), try !reached.isNull else { return nil }
    return reached
  }

  /// The same, but null at the path itself is a value.
  func reached(at path: JSONPath) throws -> NestedValue? {
    if let steps = path.compiled.steps { return try value.follow(steps) }
    guard let start = try value.follow(try prefix(of: path)) else { return nil }
    return try selecting(path) { try $0.first(rest(of: path), from: start) }
  }

  /// Returns all values at a path that is not singular, or nil if anything before the first wildcard or filter is
  /// missing or null.
  func valuesIfPresent(at path: JSONPath) throws -> [NestedValue]? {
    guard let start = try value.follow(try prefix(of: path)), try !start.isNull else { return nil }
    return try values(at: path, from: start)
  }

  /// Returns all values at a path that is not singular.
  func values(at path: JSONPath) throws -> [NestedValue] {
    try values(at: path, from: try value.followStrictly(try prefix(of: path)))
  }

  private func values(at path: JSONPath, from start: NestedValue) throws -> [NestedValue] {
    var values: [NestedValue] = []
    try selecting(path) { selection in
      _ = try selection.select(rest(of: path), from: start) {
        values.append($0)
        return true
      }
    }
    return values
  }

  /// Returns the steps that are as strict as a singular path.
  private func prefix(of path: JSONPath) throws -> [PathStep] {
    if let error = path.compiled.error { throw DecodingError.corrupted(error, at: value.codingPath) }
    if let reason = path.compiled.nestingRefusal {
      let refusal = UnsupportedPath(
        path: path, reason: decoder.asBytesDecoder == nil ? reason : "\(reason), without a key strategy")
      // The bytes have the names as written, and not those that a key strategy converts them to.
      if decoder.asBytesDecoder?.state.options.convertsKeys != false {
        throw DecodingError.corrupted(refusal, at: value.codingPath)
      }
    }
    return path.compiled.prefixSteps
  }

  private func rest(of path: JSONPath) -> ArraySlice<Segment> {
    path.compiled.segments[path.compiled.prefixSteps.count...]
  }

  private func selecting<Result>(_ path: JSONPath, _ body: (NestedSelection) throws -> Result) throws -> Result {
    do {
      let needsBytes = path.compiled.nestingRefusal != nil
      return try body(NestedSelection(path: path, root: needsBytes ? decoder.asBytesDecoder : nil))
    } catch let refusal as UnsupportedPath {
      throw DecodingError.corrupted(refusal, at: value.codingPath)
    } catch let error as EvaluationError {
      throw DecodingError.corrupted(LocatedDecodingError(error, at: path), at: value.codingPath)
    }
  }
}

extension NestedDecoder {
  /// Adds the location and the expected value to an error. Foundation's `JSONDecoder` loses the coding path of some
  /// errors when it rethrows them, such as its internal one for a number that does not fit, or one for a date. Here it
  /// is still known.
  func located(_ error: any Error, _ type: Any.Type, at path: JSONPath) -> any Error {
    var place: [any CodingKey] { codingPath + (path.compiled.steps ?? path.compiled.prefixSteps).map(AnyKey.init) }
    if case DecodingError.dataCorrupted(let context) = error {
      guard context.underlyingError == nil else { return error }
      let isLost = context.codingPath.isEmpty && !context.debugDescription.hasPrefix("The given data")
      let expected = context.debugDescription.hasPrefix("Cannot initialize ") ? ExpectedValue(casesOf: type) : nil
      guard isLost || expected != nil else { return error }
      return DecodingError.corrupted(context.debugDescription, at: isLost ? place : context.codingPath, expected)
    }
    guard error.isFoundationsJSONError else { return error }
    return DecodingError.corrupted("\(error)", at: place, ExpectedValue(numberThatFits: type))
  }
}
