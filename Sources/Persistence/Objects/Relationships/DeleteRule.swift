/// What happens to the objects in a relationship when the object that has the relationship is deleted.
public enum DeleteRule: Sendable, Hashable {
  /// The objects remain, and their inverse relationships no longer refer to the deleted object.
  case nullify
  /// The objects are also deleted.
  case cascade
  /// Saving the deletion fails with ``PersistenceError/deleteRule(_:)`` as long as the relationship contains any
  /// objects.
  case deny
}
