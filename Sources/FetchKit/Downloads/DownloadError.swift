/// Why a ``DownloadSession`` could not be opened, or did not do what it was asked for.
public enum DownloadError: Error, Sendable, Hashable {
  /// The identifier or the name is empty.
  case emptyName
  /// Another session with this identifier is open, here or in another process; with what its lock file says.
  case inUse(holder: String)
  /// The journal was written by a newer version of this library. It is left as it is.
  case newerJournal(version: UInt64)
  /// The session's files could not be read or written.
  case storage(DownloadFailure)
  /// The request cannot be downloaded.
  case invalidRequest(reason: String)
  /// The request carries credentials, which are never written to disk, and there is no
  /// ``DownloadSession/Configuration/provider`` to supply them later; with the names of the fields or query items.
  case secretsNeedProvider(names: [String])
  /// There is no download of that name.
  case unknownDownload(name: String)
  /// The session has been closed.
  case closed
  /// The task that waited was cancelled; the download goes on.
  case cancelled
}

extension DownloadError: CustomStringConvertible {
  /// A sentence fit for a log.
  public var description: String {
    switch self {
    case .emptyName: "an identifier or a name is empty"
    case .inUse(let holder): "the session is open already, held by \(holder)"
    case .newerJournal(let version): "the journal has version \(version), made by a newer release"
    case .storage(let failure): "the session's files could not be used: \(failure)"
    case .invalidRequest(let reason): "this request cannot be downloaded: \(reason)"
    case .secretsNeedProvider(let names): "credentials without a provider: \(names.joined(separator: ", "))"
    case .unknownDownload(let name): "there is no download named \(name)"
    case .closed: "the session is closed"
    case .cancelled: "the wait was cancelled"
    }
  }
}
