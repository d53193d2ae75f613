/// What happens to the objects in a relationship when the object that has the relationship is deleted.
public enum DeleteRule: Sendable, Hashable {
  /// The objects are kept, and their inverse no longer refers to the deleted object.
  case nullify
  /// The objects are also deleted.
  case cascade
  /// As long as there are such objects, saving the deletion fails with ``PersistenceError/deleteRule(_:)``.
  case deny
}
