extension Field: Decodable where Value: Decodable {
  /// Decodes null or a value, or stores the error if the value cannot be decoded.
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
  /// The field for a missing key, which is ``missing``.
  public static var absent: Field? { .missing }

  /// Whether the field is ``missing``.
  public var isAbsent: Bool { if case .missing = self { true } else { false } }
}

extension Field: Encodable where Value: Encodable {
  /// Encodes the value or null. A missing field is omitted if it is a property, and is otherwise encoded as null.
  ///
  /// - Throws: `EncodingError.invalidValue` for an invalid field, because the original value is not stored.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .missing, .null: try container.encodeNil()
    case .value(let value): try container.encode(value)
    case .invalid(let error):
      throw EncodingError.invalid(self, at: encoder.codingPath, "The field was invalid.", error)
    }
  }
}
