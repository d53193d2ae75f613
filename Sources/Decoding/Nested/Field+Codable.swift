extension Field: Decodable where Value: Decodable {
  /// Decodes null, the value, or what is wrong with it.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
      return
    }
    do {
      self = .value(try container.decode(Value.self))
    } catch {
      self = .invalid(error)
    }
  }
}

extension Field: FieldWrapper where Value: Decodable {
  /// ``missing``.
  public static var absent: Field? { .missing }

  /// Whether it is ``missing``.
  public var isAbsent: Bool { if case .missing = self { true } else { false } }
}

extension Field: Encodable where Value: Encodable {
  /// Encodes the value or null; as a property a missing one is left out.
  ///
  /// - Throws: `EncodingError.invalidValue` for an invalid one, since what was there is not kept.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .missing, .null: try container.encodeNil()
    case .value(let value): try container.encode(value)
    case .invalid(let error):
      let context = EncodingError.Context(
        codingPath: encoder.codingPath, debugDescription: "The field was invalid.", underlyingError: error)
      throw EncodingError.invalidValue(self, context)
    }
  }
}
