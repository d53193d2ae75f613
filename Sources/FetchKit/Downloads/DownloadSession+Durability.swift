extension DownloadSession {
  /// The amount of work that a power failure can undo. With any durability, nothing is lost if the process is killed or
  /// crashes.
  public enum Durability: Sendable, Hashable {
    /// Events are delivered immediately.
    ///
    /// All data is synced to disk within ``Configuration/syncPeriod``. If a power failure destroys data before then,
    /// the next session detects the loss for every download whose event has not been acknowledged and downloads the
    /// file again. An existing file that is being replaced is never lost.
    case periodic
    /// An event is delivered only after the file, its name and the journal have been synced to disk.
    ///
    /// A small download takes many times longer than with ``periodic``. If the file or its directory entry cannot be
    /// synced, the download fails. If only the journal cannot be synced, the event is delivered anyway, and a power
    /// failure can cause it to be delivered again with a different token.
    case beforeEvent
  }
}
