/// The reason why a ``DownloadSession`` could not be opened or why one of its methods failed.
///
/// <doc:WhenSomethingGoesWrong> lists the cause of each case and explains how to handle it.
public enum DownloadSessionError: Error, Sendable, Hashable {
  /// The session's identifier or the download's name is empty.
  case emptyName
  /// A session with this identifier is already open in this process or another process. `holder` describes the process
  /// that has opened the session, for example by its process ID.
  case inUse(holder: String)
  /// The journal was written by a newer version of this library. The journal file is left unchanged.
  case newerJournal(version: UInt64)
  /// The session's files could not be read or written.
  case storage(DownloadError)
  /// The request cannot be used for a download. `reason` explains why.
  case invalidRequest(reason: String)
  /// The request carries credentials, which are never written to disk, and no
  /// ``DownloadSession/Configuration/provider`` is set to supply them later. `names` contains the names of the header
  /// fields and query items that carry the credentials.
  case secretsNeedProvider(names: [String])
  /// No download has this name.
  case unknownDownload(name: String)
  /// The session has been closed.
  case closed
  /// The session is suspended. See ``DownloadSession/suspend()``.
  case suspended
  /// The task was cancelled while it was waiting for the result of a download. The download continues.
  case cancelled
}

extension DownloadSessionError: CustomStringConvertible {
  /// A one-sentence description for logs.
  public var description: String {
    switch self {
    case .emptyName: "an identifier or a name is empty"
    case .inUse(let holder): "the session is already open, held by \(holder)"
    case .newerJournal(let version): "the journal has version \(version), written by a newer release; update to open it"
    case .storage(let failure): "the session's files could not be used: \(failure)"
    case .invalidRequest(let reason): "this request cannot be downloaded: \(reason)"
    case .secretsNeedProvider(let names): "no provider is set for the credentials: \(names.joined(separator: ", "))"
    case .unknownDownload(let name): "no download is named \(name)"
    case .closed: "the session is closed"
    case .suspended: "the session is suspended: call resume() first"
    case .cancelled: "the wait was cancelled"
    }
  }
}
