/// The implementation of the overloads for nested keys.
extension KeyedDecodingContainer where Key: NestedCodingKey {
  func decodeNested<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
    if let (place, anchor) = place(of: key), let value = try place.decode(type, anchor.state) { return value }
    if let whole = try whole(for: key) { return try whole.decode(type, at: key.path) }
    guard let rest = try pathAfterFirstName(of: key) else { return try decodeValue(type, in: self, forKey: key) }
    guard contains(key) else { throw DecodingError.keyNotFound(AnyKey(stringValue: key.stringValue), at: codingPath) }
    return try superDecoder(forKey: key).nested().decode(type, at: rest)
  }

  func decodeNestedIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T? {
    if let (place, anchor) = place(of: key) {
      if case .absent = place { return nil }
      if let value = try place.decode(type, anchor.state) { return value }
    }
    if let whole = try whole(for: key) { return try whole.decodeIfPresent(type, at: key.path) }
    guard let rest = try pathAfterFirstName(of: key) else {
      return try decodeValueIfPresent(type, in: self, forKey: key)
    }
    guard contains(key), try !decodeNil(forKey: key) else { return nil }
    return try superDecoder(forKey: key).nested().decodeIfPresent(type, at: rest)
  }

  func decodeNestedWrapper<Wrapper: FieldWrapper>(_ type: Wrapper.Type, forKey key: Key) throws -> Wrapper {
    if let (place, anchor) = place(of: key), let value = try place.decode(type, anchor.state) { return value }
    if let whole = try whole(for: key) {
      return try whole.decodeIfPresent(type, at: key.path) ?? Wrapper.absent ?? whole.decode(type, at: key.path)
    }
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

  @inline(__always)
  func scalar<Scalar: JSONScalar>(_ type: Scalar.Type, _ key: Key) throws -> Scalar {
    if let (place, anchor) = place(of: key), case .value((_, let position)) = place,
      let value = Scalar.read(anchor.scanner, anchor.scanner.entry(position).pointee)
    {
      return value
    }
    return try decodeNested(type, forKey: key)
  }

  @inline(__always)
  func scalarIfPresent<Scalar: JSONScalar>(_ type: Scalar.Type, _ key: Key) throws -> Scalar? {
    if let (place, anchor) = place(of: key) {
      if case .absent = place { return nil }
      if case .value((_, let position)) = place,
        let value = Scalar.read(anchor.scanner, anchor.scanner.entry(position).pointee)
      {
        return value
      }
    }
    return try decodeNestedIfPresent(type, forKey: key)
  }

  /// Returns where the key's path leads, if this module's decoder finds it in one step. If not, the path is followed
  /// step by step, which reports what is wrong.
  @inline(__always)
  private func place(of key: Key) -> (FastPathNavigator.Place, DecodingAnchor)? {
    guard let anchor = decodingAnchors.anchor(of: self, ask: { reportedAnchor(key) }),
      let keys = DecodingPathKeys.of(anchor)
    else { return nil }
    return (keys.place(of: key), anchor)
  }

  private func reportedAnchor(_ key: Key) -> AnyObject? {
    do {
      _ = try nestedContainer(keyedBy: AnchorKey.self, forKey: key)
      return nil
    } catch {
      return (error as? AnchorKey)?.anchor
    }
  }

  /// Returns what follows the paths of a key whose first brackets have several names; nil for other keys.
  private func whole(for key: Key) throws -> NestedDecoder? {
    let paths = key.entry.alternatives
    guard let first = paths.first?.prefixSteps.first, case .name = first,
      !paths.allSatisfy({ $0.prefixSteps.first == first })
    else { return nil }
    if let anchor = reportedAnchor(key) as? DecodingAnchor {
      return NestedDecoder(root: try NestedRoot.of(anchor.decoder))
    }
    throw refused(key, "several names for a member of the object itself need a JSONBytesDecoder")
  }

  /// Returns the remainder of the key's path after its first name; nil if there is none.
  private func pathAfterFirstName(of key: Key) throws -> JSONPath? {
    let entry = key.entry
    if let error = entry.path.error { throw DecodingError.corrupted(error, at: codingPath) }
    guard case .name? = entry.path.prefixSteps.first else {
      throw refused(key, "the path of a coding key must start with a name")
    }
    return entry.path.segments.count == 1 ? nil : JSONPath(entry.behindFirstName)
  }

  private func refused(_ key: Key, _ reason: String) -> DecodingError {
    .corrupted(UnsupportedPath(path: key.path, reason: reason), at: codingPath)
  }
}

func decodeValueIfPresent<T: Decodable, Key>(
  _ type: T.Type, in container: KeyedDecodingContainer<Key>, forKey key: Key
) throws -> T? {
  try container.decodeIfPresent(type, forKey: key)
}
