/// What opening does with a file that is damaged, cut off, or no database at all.
///
/// Damage that lies deeper in the file shows when it is met: ``PersistenceError/corrupt(_:)``, or when it is looked
/// for: ``PersistentContainer/integrityCheck()``.
public enum DamagePolicy: Sendable, Hashable {
  /// It throws, and leaves the file as it is.
  case refuse
  /// It gives the file another name, beside the original one, and begins with an empty store.
  case quarantine
  /// It gives the file another name, beside the original one, and begins with what can be read of it.
  case salvage
}
