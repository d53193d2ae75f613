/// A decoder that records which members of a JSON object are requested, so that the remaining members can be stored or
/// rejected.
///
/// ```swift
/// struct Movie: Decodable {
///   var title: String
///   var others: JSONObject
///
///   init(from decoder: any Decoder) throws {
///     let decoder = decoder.recordingMembers()
///     title = try decoder.nested().decode(at: "title")
///     others = try decoder.unknownMembers()
///   }
/// }
/// ```
///
/// A `RecordingDecoder` can wrap any decoder. For a type with a synthesized initializer, use ``KeepingUnknown`` or
/// ``RefusingUnknown`` instead. The recorded names are the names that the wrapped decoder presents after
/// applying its key strategy. Members of nested objects are not recorded.
public struct RecordingDecoder: Decoder {
  let base: any Decoder
  let record = MemberRecord()

  init(_ base: any Decoder) { self.base = base }

  /// Returns the members that have not been requested so far. The result is empty if the value is not an object, or if
  /// it was decoded as a whole instead of member by member.
  ///
  /// With ``JSONBytesDecoder``, the object contains the names as they appear in the document, in their order, and
  /// ``NestedEncoder/encodeMembers(of:)`` writes these names unchanged. With other decoders, the object contains
  /// the names after conversion by the key strategy, sorted, and the corresponding encoders convert them back.
  ///
  /// - Throws: Any error thrown while decoding the members.
  public func unknownMembers() throws -> JSONObject {
    guard !record.isWhole, let container = try? base.container(keyedBy: AnyKey.self) else { return [:] }
    var members = JSONObject()
    for key in unrequestedKeys(container) {
      let name = try base.asBytesDecoder?.documentName(of: key.stringValue) ?? key.stringValue
      members[name] = try container.decode(JSONValue.self, forKey: key)
    }
    return members
  }

  /// Throws an error if the object has members that have not been requested so far.
  ///
  /// - Throws: `DecodingError.dataCorrupted` with an ``UnknownMembersError``. The coding path contains the unrequested
  ///   member whose name sorts first.
  public func refuseUnknownMembers() throws {
    // A value that is not an object has no members and was decoded as something else.
    guard !record.isWhole, let container = try? base.container(keyedBy: AnyKey.self) else { return }
    let names = unrequestedKeys(container).map(\.stringValue).sorted()
    guard let first = names.first else { return }
    let error = UnknownMembersError(names: names, known: record.names.map(\.stringValue).sorted())
    throw DecodingError.corrupted(error, at: container.codingPath + [AnyKey(stringValue: first)])
  }

  private func unrequestedKeys(_ container: KeyedDecodingContainer<AnyKey>) -> [AnyKey] {
    if let names = try? base.asBytesDecoder?.memberNames {
      return names.lazy.map(AnyKey.init(stringValue:)).filter { !record.names.contains($0) }
    }
    // Other decoders find a member under each name that is canonically equivalent, and have no order.
    let names = Set(record.names.map(\.stringValue))
    return container.allKeys.filter { !names.contains($0.stringValue) }.sorted { $0.stringValue < $1.stringValue }
  }

  /// The coding path of the value.
  public var codingPath: [any CodingKey] { base.codingPath }

  /// The wrapped decoder's `userInfo`.
  public var userInfo: [CodingUserInfoKey: Any] { base.userInfo }

  /// Returns a container for the members of the object; each request for a member is recorded.
  ///
  /// - Throws: Any error that the wrapped decoder throws.
  public func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(RecordingContainer(base: try base.container(keyedBy: type), record: record))
  }

  /// Returns a container for the elements of an array; requests for elements are not recorded.
  ///
  /// - Throws: Any error that the wrapped decoder throws.
  public func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    record.isWhole = true
    return try base.unkeyedContainer()
  }

  /// Returns a container for the value itself. If a type that is decoded from the container requests members of the
  /// object, its requests are also recorded.
  ///
  /// - Throws: Any error that the wrapped decoder throws.
  public func singleValueContainer() throws -> any SingleValueDecodingContainer {
    RecordingValue(base: try base.singleValueContainer(), decoder: self)
  }
}

extension Decoder {
  /// Returns a decoder that wraps this one and records which members are requested.
  public func recordingMembers() -> RecordingDecoder { RecordingDecoder(self) }
}
