/// The identifier of a row in the store, and of the object that represents the row in each context.
///
/// An object receives its permanent id when it is inserted. After the object is deleted, its id is never used again,
/// not even by another process. Unlike an object, an id can be passed to any context or task.
public struct ObjectID<Object: ManagedObject>: Sendable, Codable, Hashable {
  /// The underlying number, which is unique among the objects of the class.
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
  /// Compares ids by their numbers. The order of the numbers is approximately the order in which the objects were
  /// created.
  public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

extension ObjectID: CustomStringConvertible {
  /// The name of the class, followed by the number.
  public var description: String { "\(Object.self) \(rawValue)" }
}

/// Gives every managed object an `id` whose type depends on the object's class. ``ManagedObject`` conforms to this
/// protocol, so you do not need to implement anything.
public protocol IdentifiedObject: ManagedObject {}

extension ManagedObject: IdentifiedObject {}

extension IdentifiedObject {
  /// The object's id. You can also use the id outside the object's context. The id of an object that was created
  /// without a context is 0.
  public var id: ObjectID<Self> {
    if _state & ObjectState.watched != 0 { _reportAccess(self, ObjectState.idSlot) }
    return ObjectID(rawValue: _id)
  }
}

/// A model class can conform to `Identifiable`, and lists of a user interface then identify its objects by their ids.
/// ``ManagedObject`` itself does not, because the type of the id depends on the class.
extension IdentifiedObject where Self: Identifiable {
  /// The object's id. You can also use the id outside the object's context.
  public var id: ObjectID<Self> {
    if _state & ObjectState.watched != 0 { _reportAccess(self, ObjectState.idSlot) }
    return ObjectID(rawValue: _id)
  }
}
