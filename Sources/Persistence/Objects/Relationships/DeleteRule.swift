/// What becomes of the objects that a relationship leads to when the object that has the relationship is deleted.
public enum DeleteRule: Sendable, Hashable {
  /// They stay, and no longer lead back.
  case nullify
  /// They are deleted too.
  case cascade
  /// As long as there are any, saving the deletion is refused with ``PersistenceError/deletionDenied(_:)``.
  case deny
}
