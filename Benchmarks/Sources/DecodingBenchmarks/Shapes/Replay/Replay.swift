/// Decodes what a ``Tape`` recorded.
final class Replay {
  private let tape: Tape
  // The tape's lists, without the checks of an array's subscript: they are not what is measured.
  private let steps: UnsafeBufferPointer<Tape.Step>
  private let bytes: UnsafeBufferPointer<UInt8>
  private let words: UnsafeBufferPointer<UInt64>
  private let collections: [any TapedCollection.Type]
  private var containers: [AnyObject] = []
  @exclusivity(unchecked) private var position = 0

  init(_ tape: Tape) {
    self.tape = tape
    steps = tape.steps.copied()
    bytes = tape.bytes.copied()
    words = tape.words.copied()
    collections = tape.collections
    containers = tape.keys.map(makeContainer)
  }

  deinit {
    steps.deallocate()
    bytes.deallocate()
    words.deallocate()
  }

  func run<Value: Decodable>(_ type: Value.Type) throws -> Value {
    position = 0
    return try next(type)
  }

  /// One container serves all objects of a type, as a decoder can keep it.
  ///
  /// `KeyedDecodingContainer` is a struct of one reference, to a box; `container(keyedBy:)` returns it as the type that
  /// it was made as.
  private func makeContainer(_ key: any CodingKey.Type) -> AnyObject {
    func make<Key: CodingKey>(_: Key.Type) -> AnyObject {
      unsafeBitCast(KeyedDecodingContainer(ReplayedMembers<Key>(replay: self)), to: AnyObject.self)
    }
    return make(key)
  }

  @inline(__always)
  fileprivate func step() -> Tape.Step {
    defer { position += 1 }
    return steps[position]
  }

  /// A container's only member is an object.
  @inline(__always)
  fileprivate func container<Key: CodingKey>(keyedBy _: Key.Type) throws -> KeyedDecodingContainer<Key> {
    let step = step()
    if step.kind == .failure { throw tape.failures[Int(step.word)] }
    return unsafeBitCast(containers[Int(step.word)], to: KeyedDecodingContainer<Key>.self)
  }

  func text() -> String { text(step()) }

  private func text(_ step: Tape.Step) -> String {
    let found = UnsafeBufferPointer(start: bytes.baseAddress! + Int(step.word), count: step.count)
    return String(copying: UTF8Span(unchecked: found.span))  // it was a string
  }

  func numbers() -> [Double] {
    let step = step()
    let found = UnsafeBufferPointer(start: words.baseAddress! + Int(step.word), count: step.count)
    return found.withMemoryRebound(to: Double.self) { Array($0) }
  }

  func rows(_ count: Int) -> [[Double]] {
    var result: [[Double]] = []
    result.reserveCapacity(count)
    for _ in 0..<count {
      position += 1
      result.append(numbers())
    }
    return result
  }

  @inline(__always)
  fileprivate func bool() throws -> Bool {
    let step = step()
    if step.kind == .failure { throw tape.failures[Int(step.word)] }
    return step.word == 1
  }

  @inline(__always)
  fileprivate func nextIfPresent<Value: Decodable>(_ type: Value.Type) throws -> Value? {
    if steps[position].kind != .nothing { return try next(type) }
    position += 1
    return nil
  }

  /// The casts are to the type that has just been compared, or to the collection that the tape recorded for this step:
  /// native arrays and dictionaries are one reference each.
  @inline(__always)
  func next<Value: Decodable>(_ type: Value.Type) throws -> Value {
    let step = step()
    if step.kind == .failure { throw tape.failures[Int(step.word)] }
    if type == Bool.self { return unsafeBitCast(step.word == 1, to: type) }
    if type == Int.self || type == Double.self { return unsafeBitCast(step.word, to: type) }
    if type == String.self { return unsafeBitCast(text(step), to: type) }
    if step.kind == .nested { return try Value(from: ReplayingDecoder(replay: self)) }
    return unsafeBitCast(try collections[Int(step.word)].replay(step.count, by: self), to: type)
  }
}

extension Array {
  fileprivate func copied() -> UnsafeBufferPointer<Element> {
    let copy = UnsafeMutableBufferPointer<Element>.allocate(capacity: count)
    _ = copy.initialize(from: self)
    return UnsafeBufferPointer(copy)
  }
}

private struct ReplayingDecoder: Decoder, SingleValueDecodingContainer {
  let replay: Replay

  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    try replay.container(keyedBy: type)
  }
  func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw NotTaped() }
  func singleValueContainer() throws -> any SingleValueDecodingContainer { self }
  func decodeNil() -> Bool { (try? replay.bool()) ?? false }
  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try replay.next(type) }
}

private struct ReplayedMembers<Key: CodingKey>: KeyedDecodingContainerProtocol {
  unowned(unsafe) let replay: Replay

  var codingPath: [any CodingKey] { [] }
  var allKeys: [Key] { [] }

  func contains(_: Key) -> Bool { (try? replay.bool()) ?? false }
  func decodeNil(forKey _: Key) throws -> Bool { try replay.bool() }
  func decode<Value: Decodable>(_ type: Value.Type, forKey _: Key) throws -> Value { try replay.next(type) }
  func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey _: Key) throws -> Value? {
    try replay.nextIfPresent(type)
  }
  func nestedContainer<Inner: CodingKey>(keyedBy _: Inner.Type, forKey _: Key) throws -> KeyedDecodingContainer<Inner> {
    throw NotTaped()
  }
  func nestedUnkeyedContainer(forKey _: Key) throws -> any UnkeyedDecodingContainer { throw NotTaped() }
  func superDecoder() throws -> any Decoder { throw NotTaped() }
  func superDecoder(forKey _: Key) throws -> any Decoder { throw NotTaped() }
}
