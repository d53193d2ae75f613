/// A case of an enum with raw values, or an unknown raw value.
///
/// ```swift
/// enum Role: String { case admin, user }
///
/// struct Account: Codable {
///   var role: OpenEnum<Role>
/// }
/// ```
///
/// An `OpenEnum` decodes any raw value and encodes the raw value unchanged. If a newer server sends a raw value
/// that the enum does not define, no error is thrown, and the value is preserved. It can be the key of a dictionary,
/// which is then an object, as in `[OpenEnum<Role>: Int]`.
public enum OpenEnum<Known: RawRepresentable> {
  /// A case of the enum.
  case known(Known)
  /// A raw value for which the enum has no case.
  case unknown(Known.RawValue)

  /// The case, or nil for an unknown raw value.
  public var known: Known? { if case .known(let known) = self { known } else { nil } }
}

extension OpenEnum: RawRepresentable {
  /// Creates the case for a raw value, or an unknown value if no case has that raw value.
  public init(rawValue: Known.RawValue) { self = Known(rawValue: rawValue).map { .known($0) } ?? .unknown(rawValue) }

  /// The raw value.
  public var rawValue: Known.RawValue {
    switch self {
    case .known(let known): known.rawValue
    case .unknown(let value): value
    }
  }
}

extension OpenEnum: Decodable where Known.RawValue: Decodable {
  /// Decodes a raw value.
  ///
  /// - Throws: `DecodingError` if the value cannot be decoded as a raw value.
  public init(from decoder: any Decoder) throws {
    self.init(rawValue: try decoder.singleValueContainer().decode(Known.RawValue.self))
  }
}

extension OpenEnum: Encodable where Known.RawValue: Encodable {
  /// Encodes the raw value.
  public func encode(to encoder: any Encoder) throws {
    try encoder.encodeSingleValue(rawValue)
  }
}

extension OpenEnum: Equatable where Known.RawValue: Equatable {
  /// Returns whether both values have the same raw value.
  public static func == (left: OpenEnum, right: OpenEnum) -> Bool { left.rawValue == right.rawValue }
}

extension OpenEnum: Hashable where Known.RawValue: Hashable {
  /// Hashes the raw value.
  public func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }
}

extension OpenEnum: CodingKeyRepresentable where Known.RawValue: CodingKeyRepresentable {
  /// The coding key of the raw value.
  public var codingKey: any CodingKey { rawValue.codingKey }

  /// Creates the value whose raw value has the coding key, or returns nil if no raw value has it.
  public init?<Key: CodingKey>(codingKey: Key) {
    guard let rawValue = Known.RawValue(codingKey: codingKey) else { return nil }
    self.init(rawValue: rawValue)
  }
}

extension OpenEnum: Sendable where Known: Sendable, Known.RawValue: Sendable {}
