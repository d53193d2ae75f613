/// How a file that is corrupt, truncated or not a database is handled when it is opened.
///
/// Corruption deeper in the file causes ``PersistenceError/corrupt(_:)`` when the corrupt part is accessed.
/// ``PersistentContainer/integrityCheck()`` also detects such corruption.
public enum CorruptionPolicy: Sendable, Hashable {
  /// Throws an error and does not change the file.
  case refuse
  /// Renames the file within its folder and starts with an empty store.
  case quarantine
  /// Renames the file within its folder and starts with a new store that contains all data readable from the file.
  case salvage
}
