extension NestedValue {
  /// Returns the scalar at the value. A decoder does not report the kind of a value; it only accepts or rejects a type.
  /// So the type of the other operand is tried first.
  func scalar(like other: Operand) throws -> Comparand {
    if try isNull { return .null }
    let attempts: [() -> Comparand?] =
      switch other {
      case .literal(.number): [number, string, bool]
      case .literal(.bool): [bool, string, number]
      default: [string, bool, number]
      }
    for attempt in attempts {
      if let scalar = attempt() { return scalar }
    }
    return .container(PathNode(offset: 0, depth: 0), .object)  // compared with nothing but scalars
  }

  /// Returns the string in a member of an object; nil if it is missing, null or not a string.
  func text(ofMember key: AnyKey) -> String? {
    try? openObject().container.decodeIfPresent(String.self, forKey: key)
  }

  // Any error means that the value is of another kind, because decoders report it differently. For a number that does
  // not fit, Foundation's decoder throws an internal error.

  private func string() -> Comparand? { (try? decode(String.self)).map { .string(Array($0.utf8)) } }

  private func bool() -> Comparand? { (try? decode(Bool.self)).map { .bool($0) } }

  private func number() -> Comparand? {
    guard let double = try? decode(Double.self) else { return nil }
    // A double represents integers up to 2⁵³ exactly; beyond that an integer type is needed.
    if abs(double) >= 0x1p53 {
      if let integer = try? decode(Int64.self) { return .number(ExactNumber("\(integer)".utf8)) }
      if let integer = try? decode(UInt64.self) { return .number(ExactNumber("\(integer)".utf8)) }
    }
    return .number(ExactNumber("\(double)".utf8))
  }

  var isObject: Bool { get throws { try opens(openObject) } }

  var isArray: Bool { get throws { try opens(openArray) } }

  private func opens<Container>(_ open: () throws -> Container) throws -> Bool {
    do {
      _ = try open()
      return true
    } catch DecodingError.typeMismatch, DecodingError.valueNotFound {
      return false
    }
  }
}
