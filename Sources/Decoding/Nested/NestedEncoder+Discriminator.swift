extension NestedEncoder {
  /// Encodes a value at a path together with the member that identifies the value's type. If the value holds the raw
  /// JSON of an unknown type, the raw JSON is encoded unchanged.
  ///
  /// If the value's own `encode(to:)` encodes a member with the name of the identifying member, the value's member is
  /// omitted.
  ///
  /// - Throws: The same errors as ``encode(_:at:)``, and `EncodingError.invalidValue` if the value's type is not in the
  ///   discriminator or is not `Encodable`, or if the value is not encoded as an object.
  public func encode<Value>(_ value: Value, at path: JSONPath, by discriminator: Discriminator<Value>) throws {
    guard let (name, payload) = discriminator.encoded(value) else {
      throw EncodingError.invalidValue(
        value,
        EncodingError.Context(codingPath: codingPath, debugDescription: discriminator.refusal(of: value)))
    }
    guard let name else { return try encode(payload, at: path) }
    try encode(Discriminated(payload: payload, name: name, member: discriminator.member), at: path)
  }

  /// Encodes values as the elements of an array at a path. Each element contains the member that identifies its type.
  ///
  /// - Throws: The same errors as ``encode(_:at:by:)``.
  public func encodeAll<Value>(_ values: [Value], at path: JSONPath, by discriminator: Discriminator<Value>) throws {
    try encode(values.map { DiscriminatedElement(value: $0, discriminator: discriminator) }, at: path)
  }
}

/// A value and the member that identifies its type, in one object.
private struct Discriminated: Encodable {
  let payload: any Encodable
  let name: String
  let member: JSONPath

  func encode(to encoder: any Encoder) throws {
    let json = encoder.nested()
    try json.encode(name, at: member)
    try json.encodeMembers(of: payload, besides: member)
  }
}

private struct DiscriminatedElement<Value>: Encodable {
  let value: Value
  let discriminator: Discriminator<Value>

  func encode(to encoder: any Encoder) throws {
    try encoder.nested().encode(value, at: .root, by: discriminator)
  }
}
