/// The implementation of the overloads for nested keys.
extension KeyedDecodingContainer where Key: NestedCodingKey {
  func decodeNested<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
    if let (object, name) = object(at: key, isRequired: true) { return try object.decode(type, forKey: name) }
    guard let rest = try pathAfterFirstName(of: key) else { return try decodeValue(type, in: self, forKey: key) }
    guard contains(key) else { throw missing(key) }
    return try superDecoder(forKey: key).nested().decode(type, at: rest)
  }

  func decodeNestedIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T? {
    if let (object, name) = object(at: key, isRequired: false) { return try object.decodeIfPresent(type, forKey: name) }
    guard let rest = try pathAfterFirstName(of: key) else {
      return try decodeValueIfPresent(type, in: self, forKey: key)
    }
    guard contains(key), try !decodeNil(forKey: key) else { return nil }
    return try superDecoder(forKey: key).nested().decodeIfPresent(type, at: rest)
  }

  func decodeNestedWrapper<Wrapper: FieldWrapper>(_ type: Wrapper.Type, forKey key: Key) throws -> Wrapper {
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

  /// Returns the object to which a path of several names leads, and the last name, if all is as expected. If not, the
  /// path is followed in a way that tells what is wrong.
  private func object(at key: Key, isRequired: Bool) -> (KeyedDecodingContainer<AnyKey>, AnyKey)? {
    guard let names = KeyPathCache.shared.entry(for: key.rawValue).names, let last = names.last,
      isRequired || contains(key), var object = try? nestedContainer(keyedBy: AnyKey.self, forKey: key)
    else { return nil }
    for name in names.dropLast() {
      guard isRequired || object.contains(name),
        let next = try? object.nestedContainer(keyedBy: AnyKey.self, forKey: name)
      else { return nil }
      object = next
    }
    return isRequired && !object.contains(last) ? nil : (object, last)
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
