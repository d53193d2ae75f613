extension NestedEncoder {
  /// Encodes the members of a value next to those that are encoded by path, not inside a member of its own.
  ///
  /// ```swift
  /// func encode(to encoder: any Encoder) throws {
  ///   let json = encoder.nested()
  ///   try json.encode(title, at: "title")
  ///   try json.encodeMembers(of: ["publisher": publisher])
  /// }
  /// ```
  ///
  /// The way back is `decode(at: "$")`.
  ///
  /// - Throws: `EncodingError.invalidValue` for a value that is not encoded as an object, and for a member that is
  ///   there already; the ones before it are written then. And what encoding the members throws.
  public func encodeMembers(of value: some Encodable) throws {
    try encodeMembers(of: value, besides: nil)
  }

  /// Encodes the members of a value, but the one at the path.
  func encodeMembers(of value: some Encodable, besides path: JSONPath?) throws {
    var skipped: String?
    if let steps = path?.compiled.steps, steps.count == 1, case .name(let name) = steps[0] { skipped = name.text }
    try value.encode(
      to: MembersEncoder(node: root, skipped: skipped, codingPath: codingPath, userInfo: root.userInfo))
  }
}
