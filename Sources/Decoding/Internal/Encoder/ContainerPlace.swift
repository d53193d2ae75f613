/// What a container of an encoder stands for: one number in a document under construction, with the path to it.
struct ContainerPlace {
  let state: EncodingState
  /// 0 is none: where the value is something else.
  let number: UInt32
  /// How much of the state's path leads to the value that the container belongs to.
  let depth: UInt32
  /// From there to a nested container.
  let suffix: [any CodingKey]

  var codingPath: [any CodingKey] { state.codingPath(Int(depth), suffix) }

  /// Where the next part of the container is written.
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
          "A container cannot be written to when its place has another kind of value, when its value has "
          + "ended, or while a value inside of it is being encoded."))
  }

  /// The path as the document has it in which the container's next part is written.
  func nested(_ number: UInt32, in target: EncodingState, _ key: any CodingKey) -> ContainerPlace {
    ContainerPlace(state: target, number: number, depth: target === state ? depth : 0, suffix: suffix + [key])
  }

  /// An encoder that refuses everything.
  func refusingEncoder(_ key: any CodingKey) -> any Encoder {
    ValueEncoder(state: state, index: .max, number: 0)
  }

  /// A place that refuses everything.
  func refused(_ key: any CodingKey) -> ContainerPlace {
    ContainerPlace(state: state, number: 0, depth: depth, suffix: suffix + [key])
  }
}
