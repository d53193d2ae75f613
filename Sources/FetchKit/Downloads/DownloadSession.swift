public import Foundation

/// A session that manages named downloads. Downloads continue after a relaunch, even if the app was killed.
///
/// ```swift
/// let session = try DownloadSession(identifier: "photos", directory: support)
/// try await session.start("https://example.com/recent.json", named: "recent")
/// for await event in session.events {
///   if case .success(let file) = event.result { try load(file.url) }
///   event.done()
/// }
/// ```
///
/// A journal on disk records each download, its progress and its outcome. After a relaunch, open the session with the
/// same identifier and directory. The session then continues the downloads that were in progress. If the server sent a
/// strong validator, the session requests only the missing bytes, with `Range` and `If-Range` (RFC 9110 §8.8, §14).
/// Events that have not been acknowledged are delivered again.
///
/// The session works in the same way on every platform. It does not use Apple's background daemon, so nothing is
/// downloaded while the program is not running.
///
/// - Only one session per identifier and directory can be open at a time, across all processes. If a process dies, the
///   kernel releases the lock, so that another process can open the session.
/// - Each file is downloaded to a private part file. When the length and the digest have been verified, the part file
///   is moved to the destination atomically. Readers of the destination see either the old file or the complete new
///   file.
/// - If the process is killed, at most ``Configuration/syncInterval`` bytes of each download are downloaded again. If
///   the server has sent a strong validator and a length of more than 256 KB, none are. If the power fails, at most
///   ``Configuration/syncInterval`` bytes are. ``Durability`` describes the other effects of a power failure.
/// - Credentials are never written to disk. To download a file with a request that carries credentials, set a
///   ``Configuration/provider``.
///
/// Every method can be called from any thread or actor. Releasing the session closes it. See ``close()``.
public final class DownloadSession: Sendable {
  /// How a call to ``start(_:named:_:)`` handled the download.
  public enum Start: Sendable, Hashable {
    /// A new download was started.
    case started
    /// A download with this name was in progress, paused or waiting to be retried, and continues with its original
    /// request.
    case joined
    /// A download with the same name, request and digest had failed, and continues with the bytes that it had received.
    case continued
  }

  /// The identifier of the session.
  public let identifier: String
  /// The folder for downloaded files. It is used for every download that has no ``DownloadOptions/destination``.
  public let filesDirectory: URL
  /// The number of corrupt bytes that were found in the journal when the session was opened. The value is 0 unless the
  /// disk or another program has altered the journal file.
  ///
  /// If the journal is corrupt, the session uses its intact entries and stores a copy of the corrupt file next to the
  /// journal.
  public let corruptJournalBytes: Int
  let core: DownloadCore
  let delegateTask = Lock<Task<Void, Never>?>(nil)

  /// Opens a session, removes temporary files that no download uses anymore, and continues the downloads that were in
  /// progress.
  ///
  /// This initializer reads the journal and blocks the calling thread until the disk operations have finished.
  ///
  /// - Parameters:
  ///   - identifier: Any nonempty string. Pass the same string after a relaunch to open this session again.
  ///   - directory: The directory in which the session creates a folder for its files.
  ///   - configure: A closure that changes the default configuration.
  /// - Throws: ``DownloadSessionError/inUse(holder:)``, ``DownloadSessionError/newerJournal(version:)``,
  ///   ``DownloadSessionError/storage(_:)`` or ``DownloadSessionError/emptyName``. A corrupt journal does not cause an
  ///   error. See ``corruptJournalBytes``.
  public init(
    identifier: String, directory: URL, _ configure: (inout Configuration) -> Void = { _ in }
  ) throws(DownloadSessionError) {
    guard !identifier.isEmpty else { throw .emptyName }
    var configuration = Configuration()
    configure(&configuration)
    let files = SessionFiles(identifier: identifier, in: directory)
    self.identifier = identifier
    filesDirectory = files.files
    core = try DownloadCore(files, configuration)
    corruptJournalBytes = core.corruptJournalBytes
  }

  deinit {
    Task { [core] in await core.close() }
  }

  /// Starts a download, or joins the existing download with this name.
  ///
  /// Two downloads in the same session cannot have the same name. When this method returns, the download has been
  /// recorded in the journal and is not lost, even if the app is killed. The request's options and its `Range`,
  /// `If-Range` and `Accept-Encoding` fields are ignored.
  ///
  /// - Parameters:
  ///   - request: A GET request. Credentials in the request are not stored. If the request needs credentials, set a
  ///     ``Configuration/provider`` that adds them to each request.
  ///   - name: Any nonempty string.
  ///   - options: The priority, the destination and the digest of the download. If the call joins an existing download,
  ///     the options are ignored.
  /// - Throws: ``DownloadSessionError/invalidRequest(reason:)``, ``DownloadSessionError/secretsNeedProvider(names:)``,
  ///   ``DownloadSessionError/storage(_:)``, ``DownloadSessionError/emptyName``, ``DownloadSessionError/suspended`` or
  ///   ``DownloadSessionError/closed``. If an error is thrown, no new download is started. An existing download that
  ///   the call would have joined or continued is retained, and it continues if the error is
  ///   ``DownloadSessionError/storage(_:)``.
  @discardableResult
  public func start(
    _ request: some HTTPRequestConvertible, named name: String, _ options: DownloadOptions = DownloadOptions()
  ) async throws(DownloadSessionError) -> Start {
    guard !name.isEmpty else { throw .emptyName }
    var fetch: HTTPRequest
    do {
      fetch = try request.httpRequest()
    } catch {
      throw .invalidRequest(reason: error.description)
    }
    guard fetch.method == .get, fetch.body.isEmpty else {
      throw .invalidRequest(reason: "only a GET can be downloaded")
    }
    for field in ["Range", "If-Range", "Accept-Encoding"] { fetch.headers.removeAll(named: field) }
    let stored = StoredRequest(fetch, core.configuration.client.pipeline.redactor)
    do {
      try TransportRequest(.get, stored.url, headers: stored.headers).validate()
    } catch {
      throw .invalidRequest(reason: error.description)
    }
    guard stored.removedSecrets.isEmpty || core.configuration.provider != nil else {
      throw .secretsNeedProvider(names: stored.removedSecrets)
    }
    return try core.start(stored, named: name, options)
  }

  /// Returns the session's downloads in the order in which they were started. A finished download is included until its
  /// event has been acknowledged.
  public func tasks() async -> [DownloadTask] {
    core.tasks()
  }

  /// Returns the download with the given name, or nil if no download has this name.
  public func task(named name: String) async -> DownloadTask? {
    core.task(named: name)
  }

  /// Stops all downloads and closes the session. The bytes received so far are retained, and another process can open
  /// the session.
  ///
  /// The downloads continue when a session with the same identifier and directory is opened. After this call, all
  /// throwing methods of this session throw ``DownloadSessionError/closed``.
  ///
  /// If the session's own provider calls this method, the method returns immediately, because the session cannot finish
  /// closing until the provider has returned.
  public func close() async {
    await core.close()
  }
}
