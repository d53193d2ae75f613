/// The failures that a committed transaction survives.
public enum Durability: Sendable, Hashable {
  /// Transactions survive the end of the process, regardless of how it ends. After a power loss, the store is intact,
  /// but the last commits may be missing.
  case processCrash
  /// Transactions also survive a power loss, provided that data is permanently stored once the disk confirms it. Each
  /// commit waits for the disk.
  case powerLoss
}
