/// What gives every managed object an ``id`` of its own class's type. Every ``ManagedObject`` conforms; there is
/// nothing to implement.
public protocol IdentifiedObject: ManagedObject {}

extension ManagedObject: IdentifiedObject {}

extension IdentifiedObject {
  /// Names this object outside its context. 0 for an object that was made without a context.
  public var id: ObjectID<Self> {
    if _state & ObjectState.watched != 0 { _reportAccess(self, ObjectState.idSlot) }
    return ObjectID(rawValue: _id)
  }
}
