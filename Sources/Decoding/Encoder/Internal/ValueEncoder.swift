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

  func place(isObject: Bool) -> ContainerPlace {
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
    EncodingError.invalid(
      value, at: codingPath,
      "This encoder cannot be used: its value is already complete, or a part of it is still being encoded.")
  }
}

extension Encoder {
  /// The encoder as this module's; nil if it is another one.
  var asValueEncoder: ValueEncoder? { Self.self == ValueEncoder.self ? reinterpret(self, as: ValueEncoder.self) : nil }

  @inline(__always)
  func encodeSingleValue(_ value: some Encodable) throws {
    var container = singleValueContainer()
    try container.encode(value)
  }
}
