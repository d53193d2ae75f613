extension NestedEncoder {
  /// Encodes the members of a value into the current object, next to the members that are encoded by path, instead of
  /// into a nested object.
  ///
  /// ```swift
  /// func encode(to encoder: any Encoder) throws {
  ///   let json = encoder.nested()
  ///   try json.encode(title, at: "title")
  ///   try json.encodeMembers(of: ["publisher": publisher])
  /// }
  /// ```
  ///
  /// To decode the value from such an object, use `decode(at: "$")`. The names in a dictionary or a ``JSONValue`` are
  /// data, so ``JSONBytesEncoder`` writes them unchanged, regardless of its key strategy. Foundation's encoder converts
  /// these names according to its key strategy.
  ///
  /// - Throws: `EncodingError.invalidValue` if the value is not encoded as an object, or if one of its members already
  ///   exists in the current object. If a member already exists, the members before it have already been written. Any
  ///   error thrown while encoding the members is rethrown.
  public func encodeMembers(of value: some Encodable) throws {
    try encodeMembers(of: value, identified: nil)
  }

  /// Encodes the members of a value, whose type one of them may identify.
  func encodeMembers(of value: some Encodable, identified identity: MembersEncoder.Identity?) throws {
    let refusals = MemberRefusals()
    let encoder = MembersEncoder(
      target: .object(root), identity: identity, refusals: refusals, codingPath: codingPath, userInfo: root.userInfo)
    try encoder.encodeMembers(of: value)
    if let refusal = refusals.first { throw EncodingError.invalidValue(value, refusal) }
  }
}
