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
    let state = try begin(Any?.none as Any, key)
    state.writer.append("null")
  }

  func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
    try place.encode(value, key)
  }

  @inline(__always)
  func scalar(_ value: some JSONEncodedScalar, _ key: Key) throws {
    let state = try enter(value)
    let start = state.writer.count
    state.beginMember(key, Int(anchor.depth), anchor.suffix)
    do { try value.write(state) { codingPath + [key] } } catch {
      state.takeBack(to: start)
      throw error
    }
  }

  @inline(__always)
  private func begin(_ value: Any, _ key: Key) throws -> EncodingState {
    let state = try enter(value)
    state.beginMember(key, Int(anchor.depth), anchor.suffix)
    return state
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
    guard let state = anchor.state.enter(anchor.number) else { return place.refusingEncoder(key) }
    state.beginMember(key, Int(anchor.depth), anchor.suffix)
    return state.superEncoder(place.codingPath + [key])
  }
}
