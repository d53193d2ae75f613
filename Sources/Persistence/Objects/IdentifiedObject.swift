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
