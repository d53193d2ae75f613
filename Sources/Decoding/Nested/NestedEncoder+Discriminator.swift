extension NestedEncoder {
  /// Encodes a value at a path together with the member that identifies the value's type. If the value holds the raw
  /// JSON of an unknown type, the raw JSON is encoded unchanged.
  ///
  /// With the path `$`, other members of the same object can be encoded before.
  ///
  /// If the value's own `encode(to:)` encodes the identifying member, its value is kept if it is one of the strings for
  /// the type, also as a number or a boolean, and replaced otherwise.
  ///
  /// - Throws: The same errors as ``encode(_:at:)``, and `EncodingError.invalidValue` if the value's type is not in the
  ///   discriminator or is not `Encodable`, or if the value is not encoded as an object.
  public func encode<Value>(_ value: Value, at path: JSONPath, by discriminator: Discriminator<Value>) throws {
    guard let encoded = discriminator.encoded(value) else {
      throw EncodingError.invalid(value, at: codingPath, discriminator.refusal(of: value))
    }
    guard !encoded.names.isEmpty else { return try encode(encoded.payload, at: path) }
    let steps = try path.stepsToEncode(value, codingPath: codingPath)
    if steps.isEmpty, root.isObject { return try encoded.encodeMembers(to: self) }
    if steps.isEmpty, let encoder = root.claim() { return try encoded.encode(to: encoder) }
    try root.node(at: steps, for: value).encode(encoded)
  }

  /// Encodes values as the elements of an array at a path. Each element contains the member that identifies its type.
  ///
  /// - Throws: The same errors as ``encode(_:at:by:)``.
  public func encodeAll<Value>(_ values: [Value], at path: JSONPath, by discriminator: Discriminator<Value>) throws {
    try encode(values.map { DiscriminatedElement(value: $0, discriminator: discriminator) }, at: path)
  }
}

/// A value and the member that identifies its type, in one object.
struct Discriminated: Encodable {
  let payload: any Encodable
  /// The strings that identify it; empty for an unknown one.
  let names: [String]
  let table: DiscriminatorTable

  func encode(to encoder: any Encoder) throws {
    if let key = table.key, let encoder = encoder.asValueEncoder, try encoder.encode(payload, key, names) { return }
    try encodeMembers(to: encoder.nested())
  }

  /// Encodes the value next to members that are encoded by path.
  func encodeMembers(to json: NestedEncoder) throws {
    let steps = try table.member.stepsToEncode(names[0], codingPath: json.codingPath)
    try json.encodeMembers(of: payload, identified: MembersEncoder.Identity(steps: steps[...], names: names))
    if !json.root.hasValue(at: steps) { try json.root.node(at: steps, for: names[0]).encode(names[0]) }
  }
}

private struct DiscriminatedElement<Value>: Encodable {
  let value: Value
  let discriminator: Discriminator<Value>

  func encode(to encoder: any Encoder) throws {
    try encoder.nested().encode(value, at: .root, by: discriminator)
  }
}
