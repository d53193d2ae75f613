/// The target of an encoder's container: its number in a document under construction, and the path to it.
struct ContainerPlace {
  let state: EncodingState
  /// 0 if the value is not a container of this kind.
  let number: UInt32
  /// The length of the prefix of the state's path that leads to the value that the container belongs to.
  let depth: UInt32
  /// The path from there to a nested container.
  let suffix: [any CodingKey]

  var codingPath: [any CodingKey] { state.codingPath(Int(depth), suffix) }

  /// Returns the state to which the next part of the container is written.
  @inline(__always)
  func enter<T>(_ value: T) throws -> EncodingState {
    guard let state = state.enter(number) else { throw refusal(of: value) }
    return state
  }

  @inline(never)
  func refusal<T>(of value: T) -> EncodingError {
    EncodingError.invalidValue(
      value,
      EncodingError.Context(
        codingPath: codingPath,
        debugDescription:
          "This container cannot be written to: its location already has a different kind of value, its value "
          + "is complete, or a value inside it is still being encoded."))
  }

  /// Returns the target of a nested container, whose path is relative to the document that it is written to.
  func nested(_ number: UInt32, in target: EncodingState, _ key: any CodingKey) -> ContainerPlace {
    ContainerPlace(state: target, number: number, depth: target === state ? depth : 0, suffix: suffix + [key])
  }

  /// Returns an encoder that rejects everything.
  func refusingEncoder(_ key: any CodingKey) -> any Encoder {
    ValueEncoder(state: state, index: .max, number: 0)
  }

  func container<Key: CodingKey>(keyedBy _: Key.Type) -> KeyedEncodingContainer<Key> {
    guard let containers = state.containers else {
      return KeyedEncodingContainer(KeyedBytesEncodingContainer(self))
    }
    return containers.container(Key.self) { anchor in
      (anchor.number, anchor.depth, anchor.suffix) = (number, depth, suffix)
    } make: {
      let anchor = EncodingAnchor(self)
      return (KeyedEncodingContainer(KeyedBytesEncodingContainer<Key>(anchor)), anchor)
    }
  }

  /// Returns a target that rejects everything.
  func refused(_ key: any CodingKey) -> ContainerPlace {
    ContainerPlace(state: state, number: 0, depth: depth, suffix: suffix + [key])
  }
}
