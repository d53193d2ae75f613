/// The implementation of the overloads for nested keys.
extension KeyedEncodingContainer where Key: NestedCodingKey {
  mutating func encodeNested<T: Encodable>(_ value: T, forKey key: Key) throws {
    if let (object, name) = object(for: key) { return try object.encode(value, name) }
    let entry = key.entry
    guard let names = entry.prefix?.names else {
      let path = key.path
      let reason = path.compiled.error.map { "\($0)" } ?? "\(path) cannot be used for encoding; use only names"
      throw EncodingError.invalid(value, at: codingPath, reason, path.compiled.error)
    }
    if names.isEmpty { return try encodeValue(value, in: &self, forKey: key) }
    var object = nestedContainer(keyedBy: AnyKey.self, forKey: key)
    for name in names.dropFirst() { object = object.nestedContainer(keyedBy: AnyKey.self, forKey: name) }
    try object.encode(value, forKey: entry.last)
  }

  @inline(__always)
  mutating func scalar<Scalar: JSONEncodedScalar>(_ value: Scalar, _ key: Key) throws {
    if let (object, name) = object(for: key) { return try object.encodeScalar(value, name) }
    try encodeNested(value, forKey: key)
  }

  @inline(__always)
  mutating func scalarIfPresent<Scalar: JSONEncodedScalar>(_ value: Scalar?, _ key: Key) throws {
    if let value { try scalar(value, key) }
  }

  /// Returns the object at the end of the key's path, and the name there, if our encoder finds it in one step.
  @inline(__always)
  private mutating func object(for key: Key) -> (ContainerPlace, AnyKey)? {
    let anchor = encodingAnchors.anchor(of: self) {
      (nestedContainer(keyedBy: AnchorKey.self, forKey: key).codingPath.last as? AnchorKey)?.anchor
    }
    guard let anchor else { return nil }
    let keys = EncodingPathKeys.of(anchor)
    let entry = keys.entry(for: key)
    return keys.object(entry, anchor).map { ($0, entry.last) }
  }
}
