/// Identifies a row, and the object that represents it in each context.
///
/// An id is permanent from the moment its object is inserted. It is never reused, even after a deletion or by another
/// process. Unlike an object, an id can be passed anywhere.
public struct ObjectID<Object: ManagedObject>: Sendable, Codable, Hashable {
  /// The underlying number, which is unique within the class.
  public let rawValue: Int64

  /// Creates an id from a number, for example one that was saved outside the store.
  public init(rawValue: Int64) { self.rawValue = rawValue }

  /// Decodes the number.
  public init(from decoder: any Decoder) throws {
    rawValue = try decoder.singleValueContainer().decode(Int64.self)
  }

  /// Encodes the number.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(rawValue)
  }
}

extension ObjectID: Comparable {
  /// Orders ids by their numbers, which is approximately the order of creation.
  public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

extension ObjectID: CustomStringConvertible {
  /// The class and the number.
  public var description: String { "\(Object.self) \(rawValue)" }
}

/// Provides every managed object with an ``id`` that is specific to its class. Every ``ManagedObject`` conforms
/// automatically, so you do not need to implement anything.
public protocol IdentifiedObject: ManagedObject {}

extension ManagedObject: IdentifiedObject {}

extension IdentifiedObject {
  /// Identifies this object outside its context. The id is 0 for an object that was created without a context.
  public var id: ObjectID<Self> {
    if _state & ObjectState.watched != 0 { _reportAccess(self, ObjectState.idSlot) }
    return ObjectID(rawValue: _id)
  }
}
