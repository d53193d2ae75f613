/// The implementation of the overloads for nested keys.
extension KeyedEncodingContainer where Key: NestedCodingKey {
  mutating func encodeNested<T: Encodable>(_ value: T, forKey key: Key) throws {
    let path = key.path
    guard let place = path.compiled.place, let steps = place.prefix?.names else {
      let reason = path.compiled.error.map { "\($0)" } ?? "\(path) cannot be used for encoding; use only names"
      let context = EncodingError.Context(
        codingPath: codingPath, debugDescription: reason, underlyingError: path.compiled.error)
      throw EncodingError.invalidValue(value, context)
    }
    guard !steps.isEmpty else { return try encodeValue(value, in: &self, forKey: key) }
    var object = nestedContainer(keyedBy: AnyKey.self, forKey: key)
    for step in steps.dropFirst() { object = object.nestedContainer(keyedBy: AnyKey.self, forKey: step) }
    try object.encode(value, forKey: place.key)
  }
}
