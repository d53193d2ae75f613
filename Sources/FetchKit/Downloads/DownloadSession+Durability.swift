extension DownloadSession {
  /// How downloads and events are protected against a power failure. Whatever the `Durability`, nothing that the
  /// session has written is lost if the process is killed or crashes.
  public enum Durability: Sendable, Hashable {
    /// An event is delivered immediately, even if the downloaded file has not been synced to disk yet.
    ///
    /// All data is synced to disk within ``Configuration/syncPeriod``. If a power failure destroys a file before it has
    /// been synced, the session detects the loss the next time it is opened, and downloads the file again unless the
    /// download's event has been acknowledged. When a download replaces an existing file, either the old file or the
    /// complete new file survives a power failure.
    case periodic
    /// An event is delivered only after the file, its name and the journal have been synced to disk.
    ///
    /// Because of the additional syncs, a small download takes many times longer than with ``periodic``. If the file or
    /// its directory entry cannot be synced, the download fails. If only the journal cannot be synced, the event is
    /// still delivered. In that case, a power failure can cause the event to be delivered again with a different token.
    case beforeEvent
  }
}
