/// How a file that is corrupt, truncated or not a database is handled when it is opened.
///
/// Corruption deeper in the file causes ``PersistenceError/corrupt(_:)`` when that part is accessed. It is also found
/// by ``PersistentContainer/integrityCheck()``.
public enum CorruptionPolicy: Sendable, Hashable {
  /// Throws an error and does not change the file.
  case refuse
  /// Renames the file within its folder and starts with an empty store.
  case quarantine
  /// Renames the file within its folder and starts with the data that can be read from it.
  case salvage
}
