/// The encoder of one value, which is also its single-value container.
struct ValueEncoder: Encoder, SingleValueEncodingContainer {
  let state: EncodingState
  /// The index among the values that are being encoded.
  let index: UInt32
  let number: UInt32

  var codingPath: [any CodingKey] { state.codingPath(state.depth(of: index), []) }

  var userInfo: [CodingUserInfoKey: Any] { state.shared.options.userInfo }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    place(isObject: true).container(keyedBy: type)
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    UnkeyedBytesEncodingContainer(place: place(isObject: false))
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { self }

  private func place(isObject: Bool) -> ContainerPlace {
    ContainerPlace(
      state: state, number: state.container(of: index, number, isObject: isObject),
      depth: UInt32(state.depth(of: index)), suffix: [])
  }

  func encodeNil() throws {
    try begin(Any?.none as Any)
    state.writer.append("null")
  }

  func encode<T: Encodable>(_ value: T) throws {
    try writing(value) { try state.encode(value, state.shared.types.slot(for: T.self)) }
  }

  @inline(__always)
  func scalar(_ value: some JSONEncodedScalar) throws {
    try writing(value) { try value.write(state) { codingPath } }
  }

  /// Encodes a value; if it throws, another one can be encoded in its place.
  @inline(__always)
  private func writing(_ value: some Encodable, _ write: () throws -> Void) throws {
    try begin(value)
    let start = state.writer.count
    do { try write() } catch {
      state.cut(to: start)
      state.endScalar(index)
      throw error
    }
  }

  @inline(__always)
  private func begin<T>(_ value: T) throws {
    if !state.beginScalar(index, number) { throw refusal(of: value) }
  }

  @inline(never)
  private func refusal<T>(of value: T) -> EncodingError {
    EncodingError.invalidValue(
      value,
      EncodingError.Context(
        codingPath: codingPath,
        debugDescription:
          "This encoder cannot be used: its value is already complete, or a part of it is still being encoded."))
  }
}

extension ValueEncoder {
  /// Encodes a value's members behind the one that identifies its type.
  ///
  /// If the value itself encodes that member, there are two for the moment, of which the last one remains.
  ///
  /// - Returns: False, with nothing written, if the value may not be an object.
  func encode(_ value: some Encodable, _ key: AnyKey, _ names: [String]) throws -> Bool {
    guard state.isPlain(value), state.core.pointee.values[Int(index)].content == .nothing else { return false }
    let start = state.writer.count
    var object = container(keyedBy: AnyKey.self)
    try object.encode(names[0], forKey: key)
    let outer = state.core.pointee.watched
    defer { state.core.pointee.watched = outer }
    state.core.pointee.watched = WatchedMember(
      object: state.core.pointee.top, name: state.memberName(key, state.core.pointee.path.count, []))
    do { try value.encode(to: self) } catch {
      // It may have asked for another kind of container. The other way tells.
      state.startOver(Int(index), at: start)
      return false
    }
    if let start = state.core.pointee.watched?.start,
      !DiscriminatorText.isOne(of: names, state.writer.view, at: start)
    {
      try object.encode(names[0], forKey: key)
    }
    return true
  }
}
