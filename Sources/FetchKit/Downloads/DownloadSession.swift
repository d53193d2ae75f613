public import Foundation

/// Named downloads that are still there after the process was killed.
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
/// What is downloaded, how far it has come and what has ended stands in a journal on disk. A program that is relaunched
/// opens the session with the same identifier and directory: what was under way goes on, by `Range` and `If-Range`
/// where the server has a strong validator (RFC 9110 §8.8, §14), and what ended meanwhile without having been
/// acknowledged is delivered again. The same journal serves on every platform; Apple's background daemon is not used,
/// so nothing is downloaded while no program runs.
///
/// - One session per identifier and directory is open at a time, over all processes; the kernel frees a dead one's.
/// - A file is received into a part that nobody else sees. When its length and digest hold it is moved into place at
///   once; whoever looks at the destination sees the old file or the whole new one.
/// - After a kill or a power cut at most ``Configuration/syncInterval`` bytes of each download are fetched again; what
///   a power cut may undo besides is said by ``Durability``.
/// - Credentials are never written to disk: a request that has some needs a ``Configuration/provider``.
///
/// Every method may be called from any thread or actor. Letting go of the session closes it; see ``close()``.
public final class DownloadSession: Sendable {
  /// What ``start(_:named:_:)`` found.
  public enum Start: Sendable, Hashable {
    /// A new download was begun.
    case started
    /// One of that name was under way, paused or waiting to be retried: it goes on, with the request it has.
    case joined
    /// One of that name had failed with the same request and digest: it goes on where it ended.
    case continued
  }

  /// The name of the session.
  public let identifier: String
  /// Where files go whose downloads name no destination.
  public let filesDirectory: URL
  /// How many bytes of the journal were damaged when it was opened; 0 unless the disk or someone else changed it. What
  /// was whole counted; a copy of the damaged journal is kept beside it.
  public let damagedJournalBytes: Int
  let core: DownloadCore
  let delegateTask = Lock<Task<Void, Never>?>(nil)

  /// Opens a session: reads its journal, removes leftovers, and goes on with what was under way.
  ///
  /// Waits for the disk.
  ///
  /// - Parameters:
  ///   - identifier: Any text that is not empty; with it the next program finds this session again.
  ///   - directory: Where the session makes a folder of its own.
  ///   - configure: Changes the configuration.
  /// - Throws: ``DownloadError/inUse(holder:)``, ``DownloadError/newerJournal(version:)``,
  ///   ``DownloadError/storage(_:)`` or ``DownloadError/emptyName``. A damaged journal is no error.
  public init(
    identifier: String, directory: URL, _ configure: (inout Configuration) -> Void = { _ in }
  ) throws(DownloadError) {
    guard !identifier.isEmpty else { throw .emptyName }
    var configuration = Configuration()
    configure(&configuration)
    let files = SessionFiles(identifier: identifier, in: directory)
    self.identifier = identifier
    filesDirectory = files.files
    core = try DownloadCore(files, configuration)
    damagedJournalBytes = core.damagedJournalBytes
  }

  deinit {
    Task { [core] in await core.close() }
  }

  /// Begins a download, or joins the one that has its name.
  ///
  /// There is at most one download of a name. When this returns the download is in the journal and survives the
  /// process. The request's options are not kept, nor are `Range` and `If-Range`.
  ///
  /// - Parameters:
  ///   - request: A GET; credentials in it are left out, to be supplied by ``Configuration/provider``.
  ///   - name: Any text that is not empty.
  ///   - options: Priority, destination and digest; they do not change a download that is joined.
  /// - Throws: ``DownloadError/invalidRequest(reason:)``, ``DownloadError/secretsNeedProvider(names:)``,
  ///   ``DownloadError/storage(_:)``, ``DownloadError/emptyName`` or ``DownloadError/closed``; then none was begun. One
  ///   that would have been joined or continued is kept, and after ``DownloadError/storage(_:)`` it goes on.
  @discardableResult
  public func start(
    _ request: some HTTPRequestConvertible, named name: String, _ options: DownloadOptions = DownloadOptions()
  ) async throws(DownloadError) -> Start {
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
    return switch try core.start(stored, named: name, options) {
    case .started: .started
    case .joined: .joined
    case .continued: .continued
    }
  }

  /// All downloads that are not over, in the order they were begun; finished ones until they are acknowledged.
  public func tasks() async -> [DownloadTask] {
    core.tasks()
  }

  /// The download of that name.
  public func task(named name: String) async -> DownloadTask? {
    core.task(named: name)
  }

  /// Stops everything that is under way, keeps what was received, and lets another program open the session. The
  /// downloads go on when it is opened again. Afterwards every method throws ``DownloadError/closed``.
  ///
  /// Called by the session's own provider it does not wait, since it has to wait for that.
  public func close() async {
    await core.close()
  }
}
