/// The elements of an array.
struct UnkeyedBytesEncodingContainer: UnkeyedEncodingContainer {
  let place: ContainerPlace

  var codingPath: [any CodingKey] { place.codingPath }

  var count: Int { place.state.count(of: place.number) }

  func encodeNil() throws {
    let state = try place.enter(Any?.none as Any)
    _ = state.beginElement()
    state.writer.append("null")
  }

  func encode<T: Encodable>(_ value: T) throws {
    let state = try place.enter(value)
    let start = state.writer.count
    let index = state.beginElement()
    do { try state.encode(value, place.suffix, .index(index)) } catch {
      state.takeBack(to: start)
      throw error
    }
  }

  @inline(__always)
  func scalar(_ value: some JSONEncodedScalar) throws {
    let state = try place.enter(value)
    let start = state.writer.count
    let index = state.beginElement()
    do { try value.write(state) { codingPath + [AnyKey(intValue: index)] } } catch {
      state.takeBack(to: start)
      throw error
    }
  }

  func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
    nested(isObject: true).container(keyedBy: type)
  }

  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
    UnkeyedBytesEncodingContainer(place: nested(isObject: false))
  }

  private func nested(isObject: Bool) -> ContainerPlace {
    let key = AnyKey(intValue: count)
    guard let state = place.state.enter(place.number) else { return place.refused(key) }
    return place.nested(state.nestedContainer(isObject: isObject), in: state, key)
  }

  func superEncoder() -> any Encoder {
    let key = AnyKey(intValue: count)
    guard let state = place.state.enter(place.number) else { return place.refusingEncoder }
    _ = state.beginElement()
    return state.superEncoder(place.codingPath + [key])
  }
}
