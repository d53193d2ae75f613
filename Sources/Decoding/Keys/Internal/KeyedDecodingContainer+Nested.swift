/// The implementation of the overloads for nested keys.
extension KeyedDecodingContainer where Key: NestedCodingKey {
  func decodeNested<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
    if case .value(let value) = try found(type, at: key) { return value }
    guard let rest = try pathAfterFirstName(of: key) else { return try decodeValue(type, in: self, forKey: key) }
    guard contains(key) else { throw missing(key) }
    return try superDecoder(forKey: key).nested().decode(type, at: rest)
  }

  func decodeNestedIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T? {
    switch try found(type, at: key) {
    case .value(let value): return value
    case .absent: return nil
    case .needsSlowPath: break
    }
    guard let rest = try pathAfterFirstName(of: key) else {
      return try decodeValueIfPresent(type, in: self, forKey: key)
    }
    guard contains(key), try !decodeNil(forKey: key) else { return nil }
    return try superDecoder(forKey: key).nested().decodeIfPresent(type, at: rest)
  }

  func decodeNestedWrapper<Wrapper: FieldWrapper>(_ type: Wrapper.Type, forKey key: Key) throws -> Wrapper {
    if case .value(let value) = try found(type, at: key) { return value }
    guard let rest = try pathAfterFirstName(of: key) else {
      if !contains(key), let absent = Wrapper.absent { return absent }
      return try decodeValue(type, in: self, forKey: key)
    }
    if contains(key), try !decodeNil(forKey: key) {
      let nested = try superDecoder(forKey: key).nested()
      if let value = try nested.root.reached(at: rest) { return try value.decode(type) }
    }
    if let absent = Wrapper.absent { return absent }
    // Throws an error that reports where the path ends.
    return try decodeNested(type, forKey: key)
  }

  /// Returns the value at a path behind the first name, if this module's decoder finds it in one step. If not, the path
  /// is followed step by step, which reports what is wrong.
  private func found<T: Decodable>(_ type: T.Type, at key: Key) throws -> NestedRoot.Found<T> {
    let entry = KeyPathCache.shared.entry(for: key.rawValue)
    guard entry.path.segments.count > 1, entry.path.error == nil else { return .needsSlowPath }
    let anchor = entry.decoding.anchor(of: self) {
      do {
        _ = try nestedContainer(keyedBy: AnchorKey.self, forKey: key)
        return nil
      } catch {
        return (error as? AnchorKey)?.anchor
      }
    }
    guard let anchor else { return .needsSlowPath }
    let root = try root(of: anchor)
    let path = JSONPath(entry.path)
    if type == String.self { return scalar(String.self, root, path) }
    if type == Int.self { return scalar(Int.self, root, path) }
    if type == Double.self { return scalar(Double.self, root, path) }
    if type == Bool.self { return scalar(Bool.self, root, path) }
    return try root.found(type, at: path)
  }

  private func scalar<Scalar: JSONScalar, T>(_ type: Scalar.Type, _ root: NestedRoot, _ path: JSONPath)
    -> NestedRoot.Found<T>
  {
    switch root.scalar(type, at: path) {
    case .value(let value): .value(reinterpret(value, as: T.self))
    case .absent: .absent
    case .needsSlowPath: .needsSlowPath
    }
  }

  private func root(of anchor: DecodingAnchor) throws -> NestedRoot {
    if let paths = anchor.paths { return unsafeDowncast(paths, to: NestedRoot.self) }
    let root = try NestedRoot(BytesDecoder(state: anchor.state, value: anchor.value, node: anchor.node))
    anchor.paths = root
    return root
  }

  /// Returns the remainder of the key's path after its first name; nil if there is none.
  private func pathAfterFirstName(of key: Key) throws -> JSONPath? {
    let entry = KeyPathCache.shared.entry(for: key.rawValue)
    if let error = entry.path.error { throw corrupted("\(error)", error) }
    guard case .name? = entry.path.prefixSteps.first else {
      let refusal = UnsupportedPath(path: key.path, reason: "the path of a coding key must start with a name")
      throw corrupted("\(refusal)", refusal)
    }
    return entry.path.segments.count == 1 ? nil : JSONPath(entry.behindFirstName)
  }

  private func corrupted(_ text: String, _ underlying: any Error) -> DecodingError {
    .dataCorrupted(DecodingError.Context(codingPath: codingPath, debugDescription: text, underlyingError: underlying))
  }

  private func missing(_ key: Key) -> DecodingError {
    .keyNotFound(
      AnyKey(stringValue: key.stringValue),
      DecodingError.Context(
        codingPath: codingPath, debugDescription: "No value associated with key \"\(key.stringValue)\"."))
  }
}

func decodeValueIfPresent<T: Decodable, Key>(
  _ type: T.Type, in container: KeyedDecodingContainer<Key>, forKey key: Key
) throws -> T? {
  try container.decodeIfPresent(type, forKey: key)
}
