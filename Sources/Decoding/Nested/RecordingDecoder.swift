/// A decoder that notes which members of its object are asked for, so that the others can be kept or refused.
///
/// ```swift
/// struct Movie: Decodable {
///   var title: String
///   var others: [String: JSONValue]
///
///   init(from decoder: any Decoder) throws {
///     let decoder = decoder.recordingMembers()
///     title = try decoder.nested().decode(at: "title")
///     others = try decoder.unknownMembers()
///   }
/// }
/// ```
///
/// It works on any decoder, and on types whose initializer is synthesized: see ``KeepingUnknown`` and
/// ``RefusingUnknown``. Names are those that the decoder presents. Members of members are not noted.
public struct RecordingDecoder: Decoder {
  let base: any Decoder
  let record = MemberRecord()

  init(_ base: any Decoder) { self.base = base }

  /// The members that were not asked for until now; none where the value was read as a whole, or is no object.
  ///
  /// - Throws: What decoding them throws.
  public func unknownMembers() throws -> [String: JSONValue] {
    guard !record.isWhole, let container = try? base.container(keyedBy: AnyKey.self) else { return [:] }
    var members: [String: JSONValue] = [:]
    for key in container.allKeys where !record.names.contains(key) {
      members[key.stringValue] = try container.decode(JSONValue.self, forKey: key)
    }
    return members
  }

  /// Refuses members that were not asked for until now.
  ///
  /// - Throws: `DecodingError.dataCorrupted` about the first of them by name, with an ``UnknownMembersError``.
  public func refuseUnknownMembers() throws {
    // What is no object has no members, and was decoded as something else.
    guard !record.isWhole, let container = try? base.container(keyedBy: AnyKey.self) else { return }
    let names = container.allKeys.filter { !record.names.contains($0) }.map(\.stringValue).sorted()
    guard let first = names.first else { return }
    let error = UnknownMembersError(names: names)
    throw DecodingError.dataCorrupted(
      DecodingError.Context(
        codingPath: container.codingPath + [AnyKey(stringValue: first)], debugDescription: "\(error)",
        underlyingError: error))
  }

  /// The path of the value, as the decoder has it.
  public var codingPath: [any CodingKey] { base.codingPath }

  /// The decoder's own.
  public var userInfo: [CodingUserInfoKey: Any] { base.userInfo }

  /// The members of the object, which are noted when they are asked for.
  ///
  /// - Throws: What the decoder throws.
  public func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(RecordingContainer(base: try base.container(keyedBy: type), record: record))
  }

  /// The elements of an array, of which nothing is noted.
  ///
  /// - Throws: What the decoder throws.
  public func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    record.isWhole = true
    return try base.unkeyedContainer()
  }

  /// The value itself; a type in it that decodes itself as an object is noted too.
  ///
  /// - Throws: What the decoder throws.
  public func singleValueContainer() throws -> any SingleValueDecodingContainer {
    RecordingValue(base: try base.singleValueContainer(), decoder: self)
  }
}

extension Decoder {
  /// The same decoder, which notes from now on which members are asked for.
  public func recordingMembers() -> RecordingDecoder { RecordingDecoder(self) }
}
