public import Observation

/// Objects of a view context can be observed: a view, or a closure of `withObservationTracking`, that reads an
/// attribute or a relationship is notified when it changes, also by a commit of another context. Objects of other
/// contexts never notify anyone.
///
/// A notification is sent before an assignment to an attribute, and after everything else, when all objects have their
/// new values. `PersistenceUI` turns observation on. Until then, it costs nothing. The object that was read is kept in
/// memory, as one of the latest 4,096. The states of objects and contexts, such as ``isDeleted`` and
/// ``ViewContext/hasChanges``, are not observed: a reader of an attribute is notified of the object's deletion.
extension ManagedObject: Observable {}

extension ManagedObject {
  /// Denotes an attribute, a to-one or a to-many relationship, as ``ObjectState/firstRelation`` describes.
  fileprivate subscript(property property: Int) -> Void { () }

  /// A key path for each property of any class. Observation needs one for each read, and to make it takes longer than
  /// the read.
  static let propertyPaths: ContiguousArray<any KeyPath<ManagedObject, Void> & Sendable> = ContiguousArray(
    (0..<256).map { \ManagedObject[property: $0] })
}
