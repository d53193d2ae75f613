/// The members of an object.
struct KeyedBytesEncodingContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let place: ContainerPlace

  var codingPath: [any CodingKey] { place.codingPath }

  func encodeNil(forKey key: Key) throws {
    let state = try begin(Any?.none as Any, key)
    state.writer.append("null")
  }

  func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
    let state = try place.enter(value)
    let start = state.writer.count
    state.beginMember(key, Int(place.depth), place.suffix)
    do { try state.encode(value, place.suffix, .key(key)) } catch {
      state.takeBack(to: start)
      throw error
    }
  }

  @inline(__always)
  func scalar(_ value: some JSONEncodedScalar, _ key: Key) throws {
    let state = try place.enter(value)
    let start = state.writer.count
    state.beginMember(key, Int(place.depth), place.suffix)
    do { try value.write(state) { codingPath + [key] } } catch {
      state.takeBack(to: start)
      throw error
    }
  }

  @inline(__always)
  private func begin(_ value: Any, _ key: Key) throws -> EncodingState {
    let state = try place.enter(value)
    state.beginMember(key, Int(place.depth), place.suffix)
    return state
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) -> KeyedEncodingContainer<Nested> {
    KeyedEncodingContainer(KeyedBytesEncodingContainer<Nested>(place: nested(key, isObject: true)))
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    UnkeyedBytesEncodingContainer(place: nested(key, isObject: false))
  }

  private func nested(_ key: Key, isObject: Bool) -> ContainerPlace {
    guard let state = place.state.enter(place.number) else { return place.refused(key) }
    let number = state.nestedContainer(key, Int(place.depth), place.suffix, isObject: isObject)
    return place.nested(number, in: state, key)
  }

  func superEncoder() -> any Encoder { superEncoder(AnyKey(stringValue: "super")) }

  func superEncoder(forKey key: Key) -> any Encoder { superEncoder(key) }

  private func superEncoder(_ key: some CodingKey) -> any Encoder {
    guard let state = place.state.enter(place.number) else { return place.refusingEncoder(key) }
    state.beginMember(key, Int(place.depth), place.suffix)
    return state.superEncoder(place.codingPath + [key])
  }
}
