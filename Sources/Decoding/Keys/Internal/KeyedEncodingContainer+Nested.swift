/// The implementation of the overloads for nested keys.
extension KeyedEncodingContainer where Key: NestedCodingKey {
  mutating func encodeNested<T: Encodable>(_ value: T, forKey key: Key) throws {
    let entry = KeyPathCache.shared.entry(for: key.rawValue)
    guard let names = entry.names else {
      let path = key.path
      let reason = path.compiled.error.map { "\($0)" } ?? "\(path) cannot be used for encoding; use only names"
      let context = EncodingError.Context(
        codingPath: codingPath, debugDescription: reason, underlyingError: path.compiled.error)
      throw EncodingError.invalidValue(value, context)
    }
    guard let last = names.last else { return try encodeValue(value, in: &self, forKey: key) }
    var object = nestedContainer(keyedBy: AnyKey.self, forKey: key)
    for name in names.dropLast() { object = object.nestedContainer(keyedBy: AnyKey.self, forKey: name) }
    try object.encode(value, forKey: last)
  }
}
