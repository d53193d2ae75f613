import Decoding
import Foundation

/// What a decoder returned for one document, call by call. A ``Replay`` returns it again.
///
/// A replay reads no text, looks for no names and checks nothing. What remains is what every decoder pays: the code of
/// the decoded types, the standard library's containers, thrown errors, and the allocation of what is decoded. The time
/// it takes is the least that any decoder can take for the same values.
final class Tape {
  struct Step {
    enum Kind { case bool, word, text, words, collection, nested, nothing, failure, container }

    let kind: Kind
    /// The value itself, or where it begins in one of the lists of the tape.
    let word: UInt64
    /// The number of bytes, words or elements.
    var count = 0
  }

  private(set) var steps: [Step] = []
  private(set) var bytes: [UInt8] = []
  private(set) var words: [UInt64] = []
  private(set) var failures: [any Error] = []
  private(set) var collections: [any TapedCollection.Type] = []
  private(set) var keys: [any CodingKey.Type] = []

  /// Records the calls that decode a value.
  init<Value: Decodable>(_ type: Value.Type, from document: Data) throws {
    let decoder = try JSONBytesDecoder().decode(DocumentDecoder.self, from: document).decoder
    _ = try record(type) { decoder }
  }

  /// Keeps the decoder that it is decoded with.
  private struct DocumentDecoder: Decodable {
    let decoder: any Decoder

    init(from decoder: any Decoder) { self.decoder = decoder }
  }

  func add(_ kind: Step.Kind, _ word: UInt64 = 0) { steps.append(Step(kind: kind, word: word)) }

  func add(_ text: String) {
    steps.append(Step(kind: .text, word: UInt64(bytes.count), count: text.utf8.count))
    bytes += text.utf8
  }

  func add(words new: [UInt64]) {
    steps.append(Step(kind: .words, word: UInt64(words.count), count: new.count))
    words += new
  }

  func add(_ key: any CodingKey.Type) {
    let index = keys.firstIndex { $0 == key } ?? keys.count
    if index == keys.count { keys.append(key) }
    add(.container, UInt64(index))
  }

  /// Records a collection of so many elements, whose steps follow.
  func add(_ type: any TapedCollection.Type, count: Int) {
    steps.append(Step(kind: .collection, word: UInt64(collections.count), count: count))
    collections.append(type)
  }

  /// Returns what a closure returns, or records its error.
  func noting<Value>(_ body: () throws -> Value) throws -> Value {
    do { return try body() } catch {
      add(.failure, UInt64(failures.count))
      failures.append(error)
      throw error
    }
  }

  func record<Value: Decodable>(_ type: Value.Type, _ decoder: () throws -> any Decoder) throws -> Value {
    func scalar<Scalar: Decodable>(_: Scalar.Type) throws -> Scalar {
      try noting { try decoder().singleValueContainer().decode(Scalar.self) }
    }
    switch type {
    case is Bool.Type:
      let value = try scalar(Bool.self)
      add(.bool, value ? 1 : 0)
      return value as! Value
    case is Int.Type:
      let value = try scalar(Int.self)
      add(.word, UInt64(bitPattern: Int64(value)))
      return value as! Value
    case is Double.Type:
      let value = try scalar(Double.self)
      add(.word, value.bitPattern)
      return value as! Value
    case is String.Type:
      let value = try scalar(String.self)
      add(value)
      return value as! Value
    case let collection as any TapedCollection.Type:
      return try collection.record(decoder, on: self) as! Value
    default:
      let base = try noting(decoder)
      add(.nested)
      return try Value(from: RecordingDecoder(base: base, tape: self))
    }
  }
}

/// Records what a type decodes.
private struct RecordingDecoder: Decoder, SingleValueDecodingContainer {
  let base: any Decoder
  let tape: Tape

  var codingPath: [any CodingKey] { base.codingPath }
  var userInfo: [CodingUserInfoKey: Any] { base.userInfo }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    let members = try tape.noting { try base.container(keyedBy: type) }
    tape.add(type)
    return KeyedDecodingContainer(RecordedMembers(base: members, tape: tape))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw NotTaped() }
  func singleValueContainer() throws -> any SingleValueDecodingContainer { self }

  func decodeNil() -> Bool {
    let isNil = (try? base.singleValueContainer().decodeNil()) ?? false
    tape.add(.bool, isNil ? 1 : 0)
    return isNil
  }

  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try tape.record(type) { base } }
}

private struct RecordedMembers<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let base: KeyedDecodingContainer<Key>
  let tape: Tape

  var codingPath: [any CodingKey] { base.codingPath }
  var allKeys: [Key] { base.allKeys }

  func contains(_ key: Key) -> Bool {
    let isThere = base.contains(key)
    tape.add(.bool, isThere ? 1 : 0)
    return isThere
  }

  func decodeNil(forKey key: Key) throws -> Bool {
    let isNil = try tape.noting { try base.decodeNil(forKey: key) }
    tape.add(.bool, isNil ? 1 : 0)
    return isNil
  }

  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    try tape.record(type) { try base.superDecoder(forKey: key) }
  }

  func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
    guard base.contains(key), try !base.decodeNil(forKey: key) else {
      tape.add(.nothing)
      return nil
    }
    return try decode(type, forKey: key)
  }

  func nestedContainer<Inner: CodingKey>(keyedBy _: Inner.Type, forKey _: Key) throws -> KeyedDecodingContainer<Inner> {
    throw NotTaped()
  }
  func nestedUnkeyedContainer(forKey _: Key) throws -> any UnkeyedDecodingContainer { throw NotTaped() }
  func superDecoder() throws -> any Decoder { throw NotTaped() }
  func superDecoder(forKey _: Key) throws -> any Decoder { throw NotTaped() }
}

/// A call that no type of the shapes makes.
struct NotTaped: Error {}
