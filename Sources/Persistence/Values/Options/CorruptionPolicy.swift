/// Determines how opening a store handles a file that is corrupt, truncated or not a database.
///
/// Opening a store does not read the whole file. If a part that has not been read is corrupt, accessing that part later
/// throws ``PersistenceError/corrupt(_:)``. To find corruption in the whole file, use
/// ``PersistentContainer/integrityCheck()``.
public enum CorruptionPolicy: Sendable, Hashable {
  /// Throws an error and does not change the file.
  case refuse
  /// Renames the corrupt file without moving it to another folder, and opens a new, empty store.
  case quarantine
  /// Renames the corrupt file without moving it to another folder, and opens a new store that contains all data that
  /// could be read from the corrupt file.
  case salvage
}
