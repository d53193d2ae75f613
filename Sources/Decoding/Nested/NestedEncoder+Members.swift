extension NestedEncoder {
  /// Encodes the members of a value next to the members that are encoded by path, instead of inside a member of their
  /// own.
  ///
  /// ```swift
  /// func encode(to encoder: any Encoder) throws {
  ///   let json = encoder.nested()
  ///   try json.encode(title, at: "title")
  ///   try json.encodeMembers(of: ["publisher": publisher])
  /// }
  /// ```
  ///
  /// The way back is `decode(at: "$")`. The names of a dictionary, and of a ``JSONValue``, are data:
  /// ``JSONBytesEncoder`` writes them as they are, whatever its strategy for keys. Foundation's encoder converts them.
  ///
  /// - Throws: `EncodingError.invalidValue` for a value that is not encoded as an object, and for a member that already
  ///   exists; in that case, the members before it have already been written. Any error thrown while encoding the
  ///   members is passed on.
  public func encodeMembers(of value: some Encodable) throws {
    try encodeMembers(of: value, besides: nil)
  }

  /// Encodes the members of a value except the one at the path.
  func encodeMembers(of value: some Encodable, besides path: JSONPath?) throws {
    var skipped: String?
    if let steps = path?.compiled.steps, steps.count == 1, case .name(let name) = steps[0] { skipped = name.text }
    let refusals = MemberRefusals()
    let encoder = MembersEncoder(
      target: .object(root), skipped: skipped, refusals: refusals, codingPath: codingPath, userInfo: root.userInfo)
    try encoder.encodeMembers(of: value)
    if let refusal = refusals.first { throw EncodingError.invalidValue(value, refusal) }
  }
}
