/// The members of an object.
struct KeyedBytesEncodingContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let anchor: EncodingAnchor

  init(_ anchor: EncodingAnchor) { self.anchor = anchor }

  /// Creates a container that is not in a cache.
  init(_ place: ContainerPlace) {
    anchor = EncodingAnchor(place)
    anchor.keepState()
  }

  private var place: ContainerPlace { anchor.place }

  var codingPath: [any CodingKey] { place.codingPath }

  func encodeNil(forKey key: Key) throws {
    let state = try enter(Any?.none as Any)
    state.beginMember(key) { codingPath }
    state.writer.append("null")
  }

  func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
    let state = try enter(value)
    try state.writeMember(key, { codingPath }, { try state.encode(value, anchor.suffix, .key(key)) })
  }

  @inline(__always)
  func scalar(_ value: some JSONEncodedScalar, _ key: Key) throws {
    let state = try enter(value)
    try state.writeMember(key, { codingPath }, { try value.write(state) { codingPath + [key] } })
  }

  @inline(__always)
  private func enter<T>(_ value: T) throws -> EncodingState {
    guard let state = anchor.state.enter(anchor.number) else { throw place.refusal(of: value) }
    return state
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) -> KeyedEncodingContainer<Nested> {
    if type == AnchorKey.self {
      return KeyedEncodingContainer(KeyedBytesEncodingContainer<Nested>(place.reporting(anchor)))
    }
    return place.nested(key, isObject: true).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    UnkeyedBytesEncodingContainer(place: place.nested(key, isObject: false))
  }

  func superEncoder() -> any Encoder { superEncoder(AnyKey(stringValue: "super")) }

  func superEncoder(forKey key: Key) -> any Encoder { superEncoder(key) }

  private func superEncoder(_ key: some CodingKey) -> any Encoder {
    guard let state = anchor.state.enter(anchor.number) else { return place.refusingEncoder }
    state.beginMember(key) { codingPath }
    return state.superEncoder(place.codingPath + [key])
  }
}
