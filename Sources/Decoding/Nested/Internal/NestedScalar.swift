/// A value in the form in which filters compare it when they run on decoders.
enum NestedScalar: Equatable {
  case nothing
  case null
  case bool(Bool)
  case number(ExactNumber)
  case string(ByteString)
  case container
}

extension NestedValue {
  /// Returns the scalar at the value. A decoder does not report the kind of a value; it only accepts or rejects a type.
  /// So the type of the other operand is tried first.
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

  /// Returns the string in a member of an object; nil if it is missing, null or not a string.
  func text(ofMember key: AnyKey) -> String? {
    try? openObject().container.decodeIfPresent(String.self, forKey: key)
  }

  private func string() -> NestedScalar? { decodeIfOfType(String.self).map { .string(ByteString($0)) } }

  private func bool() -> NestedScalar? { decodeIfOfType(Bool.self).map { .bool($0) } }

  private func number() -> NestedScalar? {
    guard let double = decodeIfOfType(Double.self) else { return nil }
    // A double represents integers up to 2⁵³ exactly; beyond that an integer type is needed.
    if abs(double) >= 0x1p53 {
      if let integer = decodeIfOfType(Int64.self) { return .number(ExactNumber("\(integer)".utf8)) }
      if let integer = decodeIfOfType(UInt64.self) { return .number(ExactNumber("\(integer)".utf8)) }
    }
    return .number(ExactNumber("\(double)".utf8))
  }

  /// Decodes the value as a type, or returns nil if it is of another kind. Any error means that, because decoders
  /// report it differently.
  ///
  /// Foundation's decoder throws an internal error for a number that does not fit.
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
