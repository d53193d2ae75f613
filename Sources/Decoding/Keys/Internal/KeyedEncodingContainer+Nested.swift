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
    let anchor = entry.encoding.anchor(of: self) {
      (nestedContainer(keyedBy: AnchorKey.self, forKey: key).codingPath.last as? AnchorKey)?.anchor
    }
    if let anchor {
      var place = anchor.place.nested(entry.first, isObject: true)
      for name in names.dropLast() { place = place.nested(name, isObject: true) }
      return try place.encode(value, last)
    }
    var object = nestedContainer(keyedBy: AnyKey.self, forKey: key)
    for name in names.dropLast() { object = object.nestedContainer(keyedBy: AnyKey.self, forKey: name) }
    try object.encode(value, forKey: last)
  }
}
