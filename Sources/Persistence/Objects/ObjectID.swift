/// Names a row, and with it the object that each context makes of it.
///
/// It is permanent from the moment the object is inserted, and never used again, not even after a deletion or by
/// another process. Unlike an object it may go anywhere.
public struct ObjectID<Object: ManagedObject>: Sendable, Codable, Hashable {
  /// The number behind it, unique within the class.
  public let rawValue: Int64

  /// The id with this number, for instance one that was kept outside the store.
  public init(rawValue: Int64) { self.rawValue = rawValue }

  /// Reads the number.
  public init(from decoder: any Decoder) throws {
    rawValue = try decoder.singleValueContainer().decode(Int64.self)
  }

  /// Writes the number.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(rawValue)
  }
}

extension ObjectID: Comparable {
  /// The order of creation, roughly.
  public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

extension ObjectID: CustomStringConvertible {
  /// Class and number.
  public var description: String { "\(Object.self) \(rawValue)" }
}
