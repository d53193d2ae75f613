/// The failures that a committed transaction survives.
public enum Durability: Sendable, Hashable {
  /// Transactions survive the end of the process, however it ends. After a power loss, the store is intact, but the
  /// most recent commits may be missing.
  case processCrash
  /// Transactions also survive a power loss, provided that the disk stores data permanently before confirming the
  /// write. Each commit waits for the disk.
  case powerLoss
}
