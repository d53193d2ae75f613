/// The elements of an array, in order.
struct UnkeyedBytesContainer: UnkeyedDecodingContainer {
  let state: DecodingState
  let value: UInt32
  let node: UInt32
  /// The offset of the next element; 0 after the last one.
  private var cursor: UInt32
  private var index: UInt32 = 0

  init(state: DecodingState, value: UInt32, node: UInt32, cursor: UInt32) {
    self.state = state
    self.value = value
    self.node = node
    self.cursor = cursor
  }

  @inline(__always) private var scanner: JSONScanner { state.scanner }

  var codingPath: [any CodingKey] { state.path(Int(node), value) }

  var isAtEnd: Bool { cursor == 0 }

  var currentIndex: Int { Int(index) }

  /// Counts by skipping the rest of the array. Nothing in the standard library uses the count, so other code pays
  /// nothing.
  var count: Int? {
    let core = scanner.core
    let last = (core.pointee.lastStart, core.pointee.lastEnd)
    defer { (core.pointee.lastStart, core.pointee.lastEnd) = last }
    var count = Int(index)
    var position = Int(cursor)
    while position != 0 {
      let end = scanner.skipValue(position, depth: depth)
      if end < 0 { return nil }
      position = scanner.nextElement(end, of: Int(value))
      if position < 0 { return nil }
      count += 1
    }
    return count
  }

  mutating func decodeNil() throws -> Bool {
    guard scanner.isNull(try next(Never.self)) else { return false }
    try advance()
    return true
  }

  mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
    let element = try next(type)
    let place = ValuePlace(parent: state.liveNode(Int(node), value), key: index, kind: .index)
    let result = try state.decode(type, element, place)
    try advance()
    return result
  }

  mutating func decodeIfPresent<T: Decodable>(_ type: T.Type) throws -> T? {
    if isAtEnd { return nil }
    return try decodeNil() ? nil : try decode(type)
  }

  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) throws -> KeyedDecodingContainer<Nested> {
    let container = try child(KeyedDecodingContainer<Nested>.self).container(keyedBy: type)
    try advance()
    return container
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    let container = try child((any UnkeyedDecodingContainer).self).unkeyedContainer()
    try advance()
    return container
  }

  mutating func superDecoder() throws -> any Decoder {
    let decoder = try child((any Decoder).self)
    try advance()
    return decoder
  }

  @inline(__always)
  mutating func scalar<Scalar: JSONScalar>(_ type: Scalar.Type) throws -> Scalar {
    let element = try next(type)
    guard let result = Scalar.read(scanner, element) else {
      let place = ValuePlace(parent: state.liveNode(Int(node), value), key: index, kind: .index)
      let salvaged = try state.salvage(type, element, place)
      try advance()
      return salvaged
    }
    try advance()
    return result
  }

  @inline(__always)
  mutating func optionalScalar<Scalar: JSONScalar>(_ type: Scalar.Type) throws -> Scalar? {
    if isAtEnd { return nil }
    return try decodeNil() ? nil : try scalar(type)
  }

  /// The number of open containers around an element.
  private var depth: Int {
    (scanner.isLive(Int(node), value) ? Int(scanner.node(Int(node)).pointee.depth) : 0) + 1
  }

  @inline(__always)
  private func next(_ type: @autoclosure () -> Any.Type) throws -> UInt32 {
    if cursor == 0 { throw atEnd(type()) }
    return cursor
  }

  @inline(never)
  private func atEnd(_ type: Any.Type) -> DecodingError {
    .valueNotFound(
      type,
      .init(codingPath: codingPath + [PathKey(index: Int(index))], debugDescription: "Unkeyed container is at end."))
  }

  /// Returns the decoder of the next element. The type is only for the error; looking up its metadata takes as long as
  /// that.
  private func child(_ type: @autoclosure () -> Any.Type) throws -> BytesDecoder {
    let element = try next(type())
    let node = scanner.pushNode(element, parent: state.liveNode(Int(node), value), key: index, .index)
    return BytesDecoder(state: state, value: element, node: UInt32(truncatingIfNeeded: node))
  }

  @inline(__always)
  private mutating func advance() throws {
    let end = scanner.endOfValue(Int(cursor), depth: depth)
    let position = end < 0 ? -1 : scanner.nextElement(end, of: Int(value))
    if position < 0 { throw state.syntaxError() }
    cursor = UInt32(truncatingIfNeeded: position)
    index &+= 1
  }
}
