/// Determines what happens to related objects when the object that declares the relationship is deleted.
public enum DeleteRule: Sendable, Hashable {
  /// The related objects are kept, and their inverse relationships no longer refer to the deleted object.
  case nullify
  /// The related objects are also deleted.
  case cascade
  /// The deletion cannot be saved if the relationship still contains objects: the save throws
  /// ``PersistenceError/deleteRule(_:)``.
  case deny
}
