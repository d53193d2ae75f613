/// A value as filters on decoders compare it.
enum NestedScalar: Equatable {
  case nothing
  case null
  case bool(Bool)
  case number(ExactNumber)
  case string(ByteString)
  case container
}

extension NestedValue {
  /// The scalar that the value is. A decoder does not tell the kind of a value, it only takes or refuses a type, so the
  /// type of what it is compared with is tried first.
  func scalar(like other: Operand) throws -> NestedScalar {
    if try isNull { return .null }
    let attempts: [() -> NestedScalar?] =
      switch other {
      case .literal(.number): [number, string, bool]
      case .literal(.bool): [bool, string, number]
      default: [string, bool, number]
      }
    for attempt in attempts {
      if let scalar = attempt() { return scalar }
    }
    return .container
  }

  /// The text in a member of an object; nil when it is missing, null or no text.
  func text(ofMember key: AnyKey) -> String? {
    try? openObject().container.decodeIfPresent(String.self, forKey: key)
  }

  private func string() -> NestedScalar? { decodeIfOfType(String.self).map { .string(ByteString($0)) } }

  private func bool() -> NestedScalar? { decodeIfOfType(Bool.self).map { .bool($0) } }

  private func number() -> NestedScalar? {
    guard let double = decodeIfOfType(Double.self) else { return nil }
    // A double holds integers up to 2⁵³ exactly; beyond it an integer type has to be asked.
    if abs(double) >= 0x1p53 {
      if let integer = decodeIfOfType(Int64.self) { return .number(ExactNumber("\(integer)".utf8)) }
      if let integer = decodeIfOfType(UInt64.self) { return .number(ExactNumber("\(integer)".utf8)) }
    }
    return .number(ExactNumber("\(double)".utf8))
  }

  /// The value as that type, or nil when it is of another; any refusal means that, as decoders word it differently.
  ///
  /// Foundation's has an error of its own for a number that does not fit.
  private func decodeIfOfType<T: Decodable>(_ type: T.Type) -> T? { try? decode(type) }

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
