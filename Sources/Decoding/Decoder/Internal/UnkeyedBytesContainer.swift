/// The elements of an array, in order.
struct UnkeyedBytesContainer: UnkeyedDecodingContainer {
  let state: DecodingState
  let value: UInt32
  let node: UInt32
  /// The offset of the next element; 0 after the last one.
  var cursor: UInt32
  var index: UInt32 = 0

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
    let result = try state.decode(type, element, place)
    try advance()
    return result
  }

  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) throws -> KeyedDecodingContainer<Nested> {
    try child { try $0.container(keyedBy: type) }
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    try child { try $0.unkeyedContainer() }
  }

  mutating func superDecoder() throws -> any Decoder { try child { $0 as any Decoder } }

  @inline(__always)
  mutating func scalar<Scalar: JSONScalar>(_ type: Scalar.Type) throws -> Scalar {
    let element = try next(type)
    let result = try Scalar.read(scanner, element) ?? state.salvage(type, element, place)
    try advance()
    return result
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
    .valueNotFound(type, at: codingPath + [PathKey(index: Int(index))], "Unkeyed container is at end.")
  }

  /// Calls a closure with the decoder of the next element.
  private mutating func child<Result>(_ open: (BytesDecoder) throws -> Result) throws -> Result {
    let element = try next(Result.self)
    let node = scanner.pushNode(element, parent: state.liveNode(Int(node), value), key: index, .index)
    let result = try open(BytesDecoder(state: state, value: element, node: UInt32(truncatingIfNeeded: node)))
    try advance()
    return result
  }

  /// Where the next element is.
  private var place: ValuePlace {
    ValuePlace(parent: state.liveNode(Int(node), value), key: index, kind: .index)
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
