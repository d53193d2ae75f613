extension MembersEncoder {
  /// Encodes the members of a value with its `encode(to:)`, or directly if that would lose their form.
  func encodeMembers(of value: some Encodable) throws {
    switch (target, value) {
    case (.nothing, _): break
    case (.refused, _): try refuse(value)
    case (.object, let value as JSONValue): try encodeMembers(ofAny: value)
    case (.object, let value as RawJSON): try encodeMembers(ofRaw: value)
    default:
      var encoder = self
      encoder.keepsNames = value is any NamedByData
      try value.encode(to: encoder)
    }
  }

  private func encodeMembers(ofAny value: JSONValue) throws {
    guard let object = value.object else { return try refuse(value) }
    var encoder = self
    encoder.keepsNames = true
    _ = encoder.container(keyedBy: AnyKey.self)
    for (name, member) in object { try encoder.encode(member, named: name) }
  }

  /// Encodes each member with its bytes; if several have the same name, only the first one.
  private func encodeMembers(ofRaw value: RawJSON) throws {
    guard value.data.first == ASCII.leftBrace else { return try refuse(value) }
    var encoder = self
    encoder.keepsNames = true
    _ = encoder.container(keyedBy: AnyKey.self)
    var names: Set<ByteString> = []
    for node in try value.members() {
      guard case .name(let name)? = node.path.compiled.steps?.last, names.insert(name).inserted else { continue }
      try encoder.encode(node.raw, named: name.text)
    }
  }

  /// Encodes a member, unless it is omitted.
  func encode(_ value: some Encodable, named name: String) throws {
    switch target {
    case .nothing: break
    case .refused: try refuse(value)
    case .object(let node):
      guard let identity, identity.isMember(name) else { return try node.member(key(name), for: value).encode(value) }
      if identity.steps.count > 1 {
        try within(identity, try node.member(key(name), for: value)).encodeMembers(of: value)
      } else if try identity.accepts(value) {
        try node.member(key(name), for: value).encode(value)
      }
    }
  }

  /// Returns an encoder for the value of the member that leads to the identifying one.
  func within(_ identity: Identity, _ node: EncodingNode) -> MembersEncoder {
    var encoder = inner(.object(node), codingPath)
    encoder.identity = Identity(steps: identity.steps.dropFirst(), names: identity.names)
    return encoder
  }

  func key(_ name: String) -> AnyKey { keepsNames ? AnyKey(verbatim: name) : AnyKey(stringValue: name) }

  /// Throws for a value that has no members, unless it is omitted.
  func refuse(_ value: some Encodable) throws {
    switch target {
    case .nothing: break
    case .refused(let reason): throw EncodingError.invalidValue(value, reason)
    case .object: throw EncodingError.invalidValue(value, notAnObject("\(type(of: value))"))
    }
  }
}

/// A value whose members have names that are data, such as a dictionary's keys.
private protocol NamedByData {}

extension Dictionary: NamedByData where Key == String {}
