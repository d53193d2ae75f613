/// The members of an object.
struct KeyedBytesContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let anchor: DecodingAnchor

  @inline(__always) private var state: DecodingState { anchor.state }
  @inline(__always) private var scanner: JSONScanner { anchor.scanner }

  var codingPath: [any CodingKey] { state.path(Int(anchor.node), anchor.value) }

  var allKeys: [Key] {
    guard let index = try? liveObject() else { return [] }  // it was an object when the container was created
    return state.allKeys(index).compactMap { Key(stringValue: $0) }
  }

  func contains(_ key: Key) -> Bool {
    // A fault persists and is thrown when the decode ends.
    ((try? find(key)) ?? KeyStep.fault) >= 0
  }

  func decodeNil(forKey key: Key) throws -> Bool { scanner.isNull(try required(key).pointee.value) }

  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
    try decode(type, try required(key))
  }

  func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T? {
    let position = try find(key)
    guard position >= 0, !scanner.isNull(scanner.entry(position).pointee.value) else { return nil }
    return try decode(type, scanner.entry(position))
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> {
    if type == AnchorKey.self { throw AnchorKey(anchor) }
    return try child(key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try child(key).unkeyedContainer()
  }

  func superDecoder() throws -> any Decoder { try superDecoder("super") }

  func superDecoder(forKey key: Key) throws -> any Decoder { try superDecoder(key.stringValue) }

  @inline(__always)
  func scalar<Scalar: JSONScalar>(_ type: Scalar.Type, _ key: Key) throws -> Scalar {
    let member = try required(key)
    if let result = Scalar.read(scanner, member.pointee) { return result }
    return try salvage(type, member.pointee.value, key)
  }

  @inline(__always)
  func optionalScalar<Scalar: JSONScalar>(_ type: Scalar.Type, _ key: Key) throws -> Scalar? {
    let position = try find(key)
    guard position >= 0 else { return nil }
    let member = scanner.entry(position)
    if let result = Scalar.read(scanner, member.pointee) { return result }
    return scanner.isNull(member.pointee.value)
      ? nil : try salvage(type, member.pointee.value, key)
  }

  // Finding members.

  @inline(__always)
  private func liveObject() throws -> Int {
    let index = Int(anchor.node)
    if scanner.isLive(index, anchor.value), scanner.node(index).pointee.phase != .closed { return index }
    return try state.openObject(anchor.value, anchor.node)
  }

  /// Returns the position of the key's entry, or `KeyStep.end`.
  @inline(__always)
  private func find(_ key: Key) throws -> Int { try find(key.stringValue) }

  @inline(__always)
  private func find(_ key: String) throws -> Int {
    let index = try liveObject()
    let position = key.withByteView { scanner.findKey(index, $0) }
    if position == KeyStep.fault { throw state.syntaxError() }
    return position
  }

  @inline(__always)
  private func required(_ key: Key) throws -> UnsafeMutablePointer<KeyEntry> {
    let position = try find(key)
    guard position >= 0 else { throw missing(key) }
    return scanner.entry(position)
  }

  @inline(__always)
  private func decode<T: Decodable>(_ type: T.Type, _ entry: UnsafeMutablePointer<KeyEntry>) throws -> T {
    try state.decode(
      type, entry.pointee.value, ValuePlace(parent: try liveObject(), key: entry.pointee.key, kind: .name))
  }

  @inline(never)
  private func child(_ key: Key) throws -> BytesDecoder {
    let entry = try required(key)
    let object = try liveObject()
    let known = Int(scanner.node(object).pointee.child)
    if known > object, scanner.isLive(known, entry.pointee.value) {
      return BytesDecoder(state: state, value: entry.pointee.value, node: UInt32(truncatingIfNeeded: known))
    }
    let node = scanner.pushNode(entry.pointee.value, parent: object, key: entry.pointee.key, .name)
    scanner.node(object).pointee.child = Int32(truncatingIfNeeded: node)
    return BytesDecoder(state: state, value: entry.pointee.value, node: UInt32(truncatingIfNeeded: node))
  }

  /// Returns a decoder of the member's value, or of null if the member does not exist.
  private func superDecoder(_ name: String) throws -> BytesDecoder {
    let position = try find(name)
    let object = try liveObject()
    guard position < 0 else {
      let entry = scanner.entry(position)
      let node = scanner.pushNode(entry.pointee.value, parent: object, key: entry.pointee.key, .name)
      return BytesDecoder(state: state, value: entry.pointee.value, node: UInt32(truncatingIfNeeded: node))
    }
    state.absentNames.append(name)
    let key = UInt32(truncatingIfNeeded: state.absentNames.count &- 1)
    let node = scanner.pushNode(absentValue, parent: object, key: key, .absentName)
    return BytesDecoder(state: state, value: absentValue, node: UInt32(truncatingIfNeeded: node))
  }

  @inline(never)
  private func missing(_ key: Key) -> DecodingError {
    // Not the key itself, because describing it takes as long as decoding a small object.
    let text = "No value associated with key \"" + key.stringValue + "\"."
    return .keyNotFound(key, .init(codingPath: codingPath, debugDescription: text))
  }

  @inline(never)
  private func salvage<Scalar: JSONScalar>(_ type: Scalar.Type, _ value: UInt32, _ key: Key) throws -> Scalar {
    if let number = state.nonConformingScalar(value, as: type) { return number }
    throw state.error(value, type, codingPath + [key])
  }
}

extension DecodingState {
  /// Returns the names in an object, in the order of the text, without duplicates.
  func allKeys(_ index: Int) -> [String] {
    while scanner.nextKey(index) >= 0 {}
    let node = scanner.node(index)
    if node.pointee.unreadable != 0 {
      scanner.node(scanner.core.pointee.frame).pointee.invalid = node.pointee.unreadable
    }
    var names: [String] = []
    names.reserveCapacity(Int(node.pointee.keyCount))
    var position = node.pointee.head
    var previous: Int32 = -1
    // Objects without an index store several members with the same name; they have few keys.
    let mayRepeat = node.pointee.table < 0 && !node.pointee.isEnumerated
    while position >= 0 {
      let entry = scanner.entry(Int(position))
      let bytes = scanner.keyName(Int(position))
      let name = bytes.text(0, bytes.count)
      if mayRepeat, names.contains(where: { $0.utf8.elementsEqual(name.utf8) }) {
        scanner.entry(Int(previous)).pointee.next = entry.pointee.next
        if entry.pointee.next < 0 { node.pointee.tail = previous }
      } else {
        names.append(name)
        previous = position
      }
      position = entry.pointee.next
    }
    node.pointee.isEnumerated = true
    return names
  }
}
