/// An optional property that is encoded as null when it is nil, instead of being omitted, so that every JSON object has
/// the same keys.
@propertyWrapper public struct Nullable<Value: Codable & Equatable & Sendable>: Codable, Equatable, Sendable {
  public var wrappedValue: Value?

  public init(wrappedValue: Value?) {
    self.wrappedValue = wrappedValue
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    wrappedValue = container.decodeNil() ? nil : try container.decode(Value.self)
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(wrappedValue)
  }
}
