/// What a committed transaction survives.
public enum Durability: Sendable, Hashable {
  /// The end of the process, however it ends. After a loss of power the store is intact, but the last commits may be
  /// missing.
  case processCrash
  /// The loss of power too, as far as the disk keeps its word. Each commit waits for the disk.
  case powerLoss
}
